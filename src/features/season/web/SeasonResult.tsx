import type { Day } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { Stat } from '../../../ui/Stat.tsx'
import { StatRow } from '../../../ui/StatRow.tsx'
import { type SeasonRun, type SeasonSum, seasonApi } from '../contract.ts'
import { SeasonLoads, SeasonOver } from './SeasonLoads.tsx'
import { SeasonMaps } from './SeasonMaps.tsx'
import { SeasonMoves } from './SeasonMoves.tsx'
import { SeasonSteps } from './SeasonSteps.tsx'
import { compared, count, dollars, hours, miles } from './words.ts'

type Result = NonNullable<SeasonRun['result']>
type Props = { run: SeasonRun; earliestOn: Day; suggestedOn: Day; today: Day; onPlan: () => void; planning: boolean }

const Sums = ({ result, whatIf }: { result: Result; whatIf: boolean }) => {
  const { before, after, unchanged, weeks } = result
  const columns: [string, SeasonSum][] = [
    ['Today', before],
    ...(unchanged ? ([['Best days, nothing changed', unchanged]] as [string, SeasonSum][]) : []),
    [whatIf ? 'Best days with the change' : 'As planned', after],
  ]
  const rows: [string, (sum: SeasonSum) => string | null][] = [
    ['Driving a week', (sum) => hours(sum.driveSecondsWeek)],
    [`Driving a year (${weeks} weeks)`, (sum) => hours(sum.driveSecondsYear)],
    ['Miles a year', (sum) => miles(sum.driveMetersYear)],
    ['Wages on the road and miles a year', (sum) => (sum.driveCentsYear === null ? null : dollars(sum.driveCentsYear))],
    ['Stops a week', (sum) => sum.stopsWeek.toLocaleString('en-US')],
    ['Crew days a week', (sum) => sum.crewDaysWeek.toLocaleString('en-US')],
    ['Over the crews’ hours a week', (sum) => (sum.overSecondsWeek === 0 ? 'none' : hours(sum.overSecondsWeek))],
  ]
  return (
    <Card title={whatIf ? 'What it would change' : 'Before and after'} flush>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone it scrolls sideways, by the keyboard too */}
      <section className="season-scroll" aria-label="Before and after, a table" tabIndex={0}>
        <table className="season-table season-table--sums">
          <thead>
            <tr>
              <td />
              {columns.map(([title]) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([label, of]) =>
              of(before) === null ? null : (
                <tr key={label}>
                  <th scope="row">{label}</th>
                  {columns.map(([title, sum]) => (
                    <td key={title}>{of(sum)}</td>
                  ))}
                </tr>
              ),
            )}
          </tbody>
        </table>
      </section>
    </Card>
  )
}

/** What a search found: its figures, the maps, the crews' days and who would move. */
export const SeasonResult = ({ run, earliestOn, suggestedOn, today, onPlan, planning }: Props) => {
  const { result } = run
  if (!result) return null
  const whatIf = run.kind === 'whatif'
  // Nothing is saved by leaving lawns out.
  const allFit = !whatIf || result.unplaced === 0
  const base = result.unchanged ?? result.before
  const saved = base.driveSecondsYear - result.after.driveSecondsYear
  const savedCents =
    base.driveCentsYear === null || result.after.driveCentsYear === null
      ? null
      : base.driveCentsYear - result.after.driveCentsYear
  // One customer may have several jobs.
  const moves = new Set(result.moves.map((move) => move.jobId))
  const customersOf = (lawns: Result['lawns']): number => new Set(lawns.map((lawn) => lawn.customerId)).size
  const customers = {
    all: customersOf(result.lawns),
    move: customersOf(result.lawns.filter((lawn) => moves.has(lawn.jobId))),
  }
  return (
    <div className="season-result">
      {run.staleCount > 0 ? (
        <Banner
          tone="warn"
          title="The work changed since this plan was made."
          action={
            <Button size="s" calls={seasonApi.start} loading={planning} onClick={onPlan}>
              Plan again
            </Button>
          }
        >
          {run.stale.join('; ')}
          {run.staleCount > run.stale.length ? ` and ${run.staleCount - run.stale.length} more` : ''}. It cannot be
          taken over any more.
        </Banner>
      ) : null}
      {whatIf ? (
        <Banner tone="info" title={run.label}>
          This only shows what would be. Nothing of it can be taken over, and nothing was changed.
        </Banner>
      ) : null}
      {whatIf && result.unplaced > 0 ? (
        <Banner tone="warn" title={`${count(result.unplaced, 'lawn does', 'lawns do')} not fit.`}>
          They found no place within the days and hours of the crews, so less driving is no saving here.
        </Banner>
      ) : null}
      {result.stopped ? (
        <Banner tone="info" title="Stopped early.">
          This is the best so far; a search to its end may find more.
        </Banner>
      ) : null}
      <StatRow>
        {allFit ? null : (
          <Stat label="Do not fit" value={String(result.unplaced)} note="Lawns without a place" tone="bad" />
        )}
        {allFit ? (
          <Stat
            label="Driving a year"
            value={saved >= 0 ? `${hours(saved)} less` : `${hours(-saved)} more`}
            note={
              whatIf
                ? `${compared(base, result.after)} than the best days without it`
                : `${compared(base, result.after)} than today`
            }
            tone={saved > 0 ? 'good' : saved < 0 ? 'bad' : 'plain'}
          />
        ) : null}
        {savedCents === null || !allFit ? null : (
          <Stat
            label="Dollars a year"
            value={savedCents >= 0 ? `${dollars(savedCents)} less` : `${dollars(-savedCents)} more`}
            note="Wages on the road and miles"
            tone={savedCents > 0 ? 'good' : savedCents < 0 ? 'bad' : 'plain'}
          />
        )}
        <Stat
          label="Driving a week"
          value={hours(result.after.driveSecondsWeek)}
          note={`${hours(result.before.driveSecondsWeek)} today`}
        />
        {whatIf ? null : (
          <Stat label="Customers who move" value={String(customers.move)} note={`of ${customers.all}`} />
        )}
      </StatRow>
      <Sums result={result} whatIf={whatIf} />
      <SeasonOver result={result} after={whatIf ? 'with the change' : 'as planned'} />
      {whatIf ? null : <SeasonSteps run={run} />}
      {whatIf ? null : (
        <SeasonMoves key={run.id} run={run} earliestOn={earliestOn} suggestedOn={suggestedOn} today={today} />
      )}
      <SeasonMaps result={result} whatIf={whatIf} />
      <SeasonLoads result={result} />
      {whatIf && result.inTheWay.length > 0 ? (
        <Card title="In the way" hint="Work of today without a place">
          <ul className="season-left">
            {result.inTheWay.map((job) => (
              <li key={job.jobId}>
                <LinkTo href={linkTo.job(job.jobId)}>
                  {job.street}, {job.customerName}
                </LinkTo>{' '}
                <span className="hint">{job.why}</span>
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
      {result.leftCount > 0 ? (
        <Card title="Not planned" hint={count(result.leftCount, 'job')}>
          <ul className="season-left">
            {result.left.map((job) => (
              <li key={job.jobId}>
                <LinkTo href={linkTo.job(job.jobId)}>
                  {job.street}, {job.customerName}
                </LinkTo>{' '}
                <span className="hint">{job.why}</span>
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
    </div>
  )
}
