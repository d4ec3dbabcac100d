import { Button } from '../../../ui/Button.tsx'
import { IconPlayerStop } from '../../../ui/icons.ts'
import type { RouteProgress, RouteRun } from '../contract.ts'
import { shortDuration, stopsLabel } from './plan.ts'

type Props = {
  run: RouteRun
  progress: RouteProgress | null
  stale: boolean
  stopping: boolean
  onStop: () => void
}

/** A search as it goes on: how far, what it has found so far, and Stop, which keeps that. */
export const SearchBar = ({ run, progress, stale, stopping, onStop }: Props) => {
  const percent = Math.round((progress?.share ?? 0) * 100)
  return (
    <section className="route__search" aria-label="Searching for a better plan">
      <div className="route__search-words">
        <b>
          {stale ? 'No answer from the server' : run.label === 'Optimize' ? 'Looking for the best plan' : run.label}
        </b>
        <span className="hint num" role="status">
          {stale
            ? 'The plan you had is safe. The search goes on there if it can; this is looked at again by itself.'
            : progress
              ? [
                  `${shortDuration(progress.driveSeconds)} of driving`,
                  progress.unserved > 0 ? `${stopsLabel(progress.unserved)} without a place` : null,
                ]
                  .filter(Boolean)
                  .join(' · ')
              : 'Looking at every crew and stop…'}
        </span>
      </div>
      <div
        className="route__search-track"
        role="progressbar"
        aria-label="How much of the search is done"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <i style={{ width: `${Math.max(3, percent)}%` }} />
      </div>
      <span className="hint num route__search-count">
        {progress
          ? `${(progress.elapsedMs / 1000).toFixed(1)} s · ${progress.iterations.toLocaleString('en-US')} plans tried`
          : ''}
      </span>
      {run.can.stopRun ? (
        <Button size="s" icon={<IconPlayerStop size={16} />} loading={stopping} onClick={onStop}>
          Stop, keep the best
        </Button>
      ) : null}
    </section>
  )
}
