import { formatCents } from '../../../shared/money.ts'
import { Button } from '../../../ui/Button.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconX } from '../../../ui/icons.ts'
import type { RouteTotals, RunResult } from '../contract.ts'
import { comparedWith, evennessWords, miles, shortDuration, stopsLabel, wayWords } from './plan.ts'

export type Evenness = NonNullable<RunResult['evenness']>['chosen']

export type Searched = {
  before: RouteTotals
  after: RouteTotals
  booked: RouteTotals
  tookMs: number
  left: readonly { visitId: string; street: string; reason: string }[]
  evenness?: RunResult['evenness']
  /** What was searched when it was not the whole day. */
  name: string | null
}

export const Figure = ({ label, from, to }: { label: string; from: string; to: string }) => (
  <div className="route__figure">
    <span className="hint">{label}</span>
    <span className="num">
      <s>{from}</s> <b>{to}</b>
    </span>
  </div>
)

/** What a search has brought: before and after in minutes, miles and dollars, and what did not fit. */
export const Result = ({
  searched,
  busy,
  onLonger,
  onEvenness,
  onCompare,
  onClose,
}: {
  searched: Searched
  busy: boolean
  onLonger: () => void
  onEvenness: (evenness: Evenness) => void
  onCompare: () => void
  onClose: () => void
}) => {
  const { label, totals } = comparedWith(searched)
  const { after, left, evenness } = searched
  return (
    <section className="route__result" aria-label="What the search brought">
      <span className="route__result-name">
        <b>{searched.name ?? stopsLabel(after.stops)}</b>
        <span className="hint">
          {label === 'before' ? 'before, and now' : 'as booked, and now'}
          {evenness && evenness.chosen !== 'cost' ? ` · ${wayWords[evenness.chosen].toLowerCase()}` : ''}
        </span>
      </span>
      <Figure label="Driving" from={shortDuration(totals.driveSeconds)} to={shortDuration(after.driveSeconds)} />
      <Figure label="Miles" from={miles(totals.driveMeters)} to={miles(after.driveMeters)} />
      {after.laborCents === null || totals.laborCents === null ? null : (
        <Figure label="Drive labor" from={formatCents(totals.laborCents)} to={formatCents(after.laborCents)} />
      )}
      {left.length > 0 && searched.name === null ? (
        <span className="route__left">{stopsLabel(left.length)} did not fit. The list says why for each.</span>
      ) : null}
      <span className="route__result-do">
        {evenness && searched.name === null
          ? evennessWords(evenness).map(({ evenness: way, words }) => (
              <Button key={way} size="s" kind="quiet" onClick={() => onEvenness(way)} disabled={busy}>
                {words}
              </Button>
            ))
          : null}
        <Button size="s" kind="quiet" onClick={onLonger} disabled={busy}>
          Search longer
        </Button>
        <Button size="s" kind="quiet" onClick={onCompare}>
          Compare
        </Button>
      </span>
      <IconButton label="Close" icon={<IconX size={17} />} size="s" onClick={onClose} />
    </section>
  )
}
