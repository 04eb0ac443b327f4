// How often a Template's status may be written: at most once a second, however many Datas come and go.

export { forgetLooks, untilNextLook } from '../../kube/pace.ts';
