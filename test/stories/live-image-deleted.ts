// `npm run story live-image-deleted`: the report's two hours, told under our collector and under the rule that failed.

import process from 'node:process';
import { judgeOurs, judgeText, warmShare } from './live-image-deleted/judge.ts';
import { type Account, replay } from './live-image-deleted/replay.ts';
import { trace } from './live-image-deleted/trace.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

function tell(title: string, account: Account): void {
  say(title);
  say(
    `  provisions ${account.provisions}, done ${account.done}; cold ${account.cold} (of them first sight ${account.firstSights}), warm ${account.warm}`,
  );
  say(`  warm after first sight: ${warmShare(account).toFixed(3)}`);
  say(`  live images deleted: ${account.liveDeleted}; superseded digests left: ${account.supersededLeft}`);
  say(`  pulled: ${account.pulledGb} GB; median work for a VM: ${account.medianWorkSeconds.toFixed(0)} s`);
}

const { provisions, moves } = trace();
say(
  `Two hours replayed: ${provisions.length} Pods of 3 pools on 2 Macs, all naming images by tag; ${moves.length} tags move.`,
);
const ours = await replay(trace(), 'pippin');
tell("Pippin's collector (names resolved to content, leases, roots)", ours);
const text = await replay(trace(), 'text');
tell("The report's rule (an image stays if a Pod spells its name)", text);
judgeOurs(ours);
judgeText(text);
