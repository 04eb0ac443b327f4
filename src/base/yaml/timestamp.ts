// Whether a text without quotes would be read as a point in time.

const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})(.*)$/s;
const TIME = String.raw`(\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?`;
const TIME_WITH_ZONE = new RegExp(String.raw`^[Tt]${TIME}(?:Z|[-+](\d{2}):(\d{2}))$`);
const TIME_ALONE = new RegExp(`^ +${TIME}$`);

export function isTimestamp(text: string): boolean {
  const [, year, month, day, rest = ''] = DATE.exec(text) ?? [];
  if (year === undefined || !isDay(Number(year), Number(month), Number(day))) return false;
  if (rest === '') return true;
  const [, hour, minute, second, zoneHour = '0', zoneMinute = '0'] =
    TIME_WITH_ZONE.exec(rest) ?? TIME_ALONE.exec(rest) ?? [];
  if (hour === undefined) return false;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return false;
  return Number(zoneHour) <= 24 && Number(zoneMinute) <= 60;
}

function isDay(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
