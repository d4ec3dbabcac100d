import { IconAlertTriangle } from '../../../ui/icons.ts'
import type { Verdict } from '../rules.ts'

/** What speaks against a place, in the words of the board. */
export const VerdictNote = ({ verdict, id }: { verdict: Verdict; id?: string }) => {
  const all = verdict.stops ? [verdict.stops] : verdict.warns
  return all.length > 0 ? (
    <span id={id} className={`cal-choice__warn${verdict.stops ? ' is-stop' : ''}`}>
      <IconAlertTriangle size={14} aria-hidden="true" />
      {all.join(' ')}
    </span>
  ) : null
}
