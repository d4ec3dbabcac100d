import { Banner } from '#src/ui/Banner.tsx'
import { Money } from '#src/ui/Money.tsx'
import type { BulkPreview } from '../contract.ts'
import { reasonText, steepPercent } from '../rules.ts'
import { jobsText, visitsText } from './wish.ts'

const shown = 8

const visitsLine = ({ visits }: BulkPreview): string => {
  const stay = visits.changed - visits.moved
  const parts = [
    visits.moved > 0 ? `${visitsText(visits.moved)} moved` : '',
    stay > 0 ? `${visitsText(stay)} changed` : '',
    visits.created > 0 ? `${visits.created.toLocaleString('en-US')} added` : '',
    visits.removed > 0 ? `${visits.removed.toLocaleString('en-US')} removed` : '',
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(', ') : 'No visit changes'
}

const toldLine = ({ told }: BulkPreview): string | null => {
  const parts = [
    told.visits > 0
      ? `${told.crews.join(', ')} ${told.crews.length === 1 ? 'was' : 'were'} sent ${visitsText(told.visits)} as before. Publish again.`
      : '',
    told.customers > 0
      ? `${told.customers} ${told.customers === 1 ? 'customer was' : 'customers were'} told another day; they hear of the new one as your notices say.`
      : '',
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(' ') : null
}

const withoutLine = ({ count, names }: NonNullable<BulkPreview['without']>): string => {
  const more = count - names.length
  return `Left out, because no recurring job of theirs goes on: ${names.join(', ')}${more > 0 ? ` and ${more.toLocaleString('en-US')} more` : ''}.`
}

/** What a change of many does, before it is done: in numbers, who knows the old plan, and what stays as it is and why. */
export const BulkOutcome = ({ preview }: { preview: BulkPreview }) => {
  // Single days, rounds and work on demand are no recurring work.
  const month = preview.month && preview.month.beforeCents + preview.month.afterCents > 0 ? preview.month : null
  const stays = preview.items.filter((item) => item.reason !== null)
  const priced = preview.items.filter((item) => item.reason === null && item.beforeCents !== item.afterCents)
  const told = toldLine(preview)
  const moved = preview.visits.moved + preview.visits.removed > 0
  const steep = steepPercent(priced)
  return (
    <output className="bulk-outcome" aria-live="polite">
      <dl className="bulk-outcome__numbers">
        <div>
          <dt>Jobs</dt>
          <dd className="num">
            {preview.jobs.toLocaleString('en-US')}
            {stays.length > 0 ? <span className="hint"> of {preview.matching.toLocaleString('en-US')}</span> : null}
          </dd>
        </div>
        {month ? (
          <div>
            <dt>Recurring work a month</dt>
            <dd>
              <Money cents={month.beforeCents} whole />
              {month.afterCents === month.beforeCents ? null : (
                <>
                  {' → '}
                  <Money cents={month.afterCents} whole />
                </>
              )}
            </dd>
          </div>
        ) : null}
      </dl>
      <p>
        <b>{visitsLine(preview)}.</b>{' '}
        {preview.visits.kept > 0
          ? `${visitsText(preview.visits.kept)} placed by hand, under way or invoiced ${preview.visits.kept === 1 ? 'stays' : 'stay'} as ${preview.visits.kept === 1 ? 'it is' : 'they are'}.`
          : ''}
      </p>
      {told ? (
        <p className="job-outcome__told">{told}</p>
      ) : moved ? (
        <p className="muted">Nobody was told of these visits yet.</p>
      ) : null}
      {preview.unlicensed ? (
        <Banner tone="warn">
          {preview.unlicensed.example}{' '}
          {preview.unlicensed.visits === 1
            ? 'So it is for 1 visit'
            : `So it is for ${preview.unlicensed.visits} visits`}{' '}
          of this change: put somebody with the license on the crew, or choose another crew.
        </Banner>
      ) : null}
      {steep === null ? null : (
        <Banner
          tone="warn"
          title={`Prices go ${steep > 0 ? 'up' : 'down'} by ${Math.abs(steep).toLocaleString('en-US')}%.`}
        >
          The next visits are invoiced by them. Look at the prices below before you go on.
        </Banner>
      )}
      {priced.length > 0 ? (
        <ul className="bulk-list">
          {priced.slice(0, shown).map((item) => (
            <li key={item.jobId}>
              <span>
                {item.customerName} <span className="hint num bulk-number">J-{item.number}</span>
              </span>
              <span>
                <Money cents={item.beforeCents} /> → <Money cents={item.afterCents} />
              </span>
            </li>
          ))}
          {priced.length > shown ? <li className="muted">and {priced.length - shown} more</li> : null}
        </ul>
      ) : null}
      {preview.without && preview.without.count > 0 ? <p className="muted">{withoutLine(preview.without)}</p> : null}
      {stays.length > 0 ? (
        <details className="bulk-stays" open={preview.jobs === 0}>
          <summary>
            {jobsText(stays.length)} {stays.length === 1 ? 'stays' : 'stay'} as{' '}
            {stays.length === 1 ? 'it is' : 'they are'}
          </summary>
          <ul className="bulk-list">
            {stays.map((item) => (
              <li key={item.jobId}>
                <span>
                  {item.customerName}{' '}
                  <span className="hint">
                    {item.street} <span className="num bulk-number">J-{item.number}</span>
                  </span>
                </span>
                <span className="muted">{item.reason ? reasonText[item.reason] : ''}</span>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </output>
  )
}
