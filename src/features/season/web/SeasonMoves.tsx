import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { type Day, formatDay } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { type SeasonCheck, type SeasonLawn, type SeasonMove, type SeasonRun, seasonApi } from '../contract.ts'
import { mostMoves, moveText } from '../rules.ts'
import { checkQuery, useAccept } from './data.ts'
import { count, dollars, hours } from './words.ts'

type Props = { run: SeasonRun; earliestOn: Day; suggestedOn: Day; today: Day }
type Row = SeasonMove & { lawn: SeasonLawn }

/** Whether a row belongs to what was chosen; an empty choice is everything. */
const isMeant = ({ lawn }: Row, neighborhood: string, crewId: string): boolean =>
  (neighborhood === '' || lawn.neighborhood === neighborhood) &&
  (crewId === '' || lawn.from.crewId === crewId || lawn.to.crewId === crewId)

type OutcomeProps = { check: SeasonCheck; pending: boolean; old: boolean; onLeaveOut: () => void }

const Outcome = ({ check, pending, old, onLeaveOut }: OutcomeProps) => (
  <div aria-busy={pending} aria-live="polite">
    <p className="season-outcome">
      <b>
        {check.savedSecondsYear >= 0
          ? `${hours(check.savedSecondsYear)} less driving a year`
          : `${hours(-check.savedSecondsYear)} more driving a year`}
      </b>
      {check.savedCentsYear === null
        ? ''
        : check.savedCentsYear >= 0
          ? `, ${dollars(check.savedCentsYear)} saved`
          : `, ${dollars(-check.savedCentsYear)} more`}{' '}
      with these {count(check.moves, 'job')}.
    </p>
    {check.over.length > 0 ? (
      <Banner
        tone="warn"
        title="They do not all fit."
        action={
          check.fitting.length > 0 ? (
            <Button size="s" disabled={old} onClick={onLeaveOut}>
              Keep the {check.fitting.length} that fit
            </Button>
          ) : undefined
        }
      >
        {check.over
          .slice(0, 3)
          .map((one) => one.text)
          .join('; ')}
        {check.over.length > 3 ? ` and ${check.over.length - 3} more` : ''}.{' '}
        {check.over.some((one) => one.todaySeconds > 0)
          ? 'A day that is too long today gets nobody more before somebody leaves it: take those along who do, or leave some out.'
          : 'Others of the plan make room there: take them along, or leave some out.'}
      </Banner>
    ) : null}
  </div>
)

/** So many rows are shown before somebody asks for all of them. */
const fewRows = 12

/** Who would move, each to tick, all of a neighborhood or a crew at once; what the ticked ones bring is counted live. */
export const SeasonMoves = ({ run, earliestOn, suggestedOn, today }: Props) => {
  const may = useMay()
  const accept = useAccept(run.id)
  const [changes, setChanges] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [neighborhood, setNeighborhood] = useState('')
  const [crewId, setCrewId] = useState('')
  const [all, setAll] = useState(false)
  const [fromOn, setFromOn] = useState<Day | null>(suggestedOn)
  const { result } = run
  const crewName = (id: string) => result?.crews.find((crew) => crew.id === id)?.name ?? 'a crew'
  const rows = useMemo(() => {
    const lawns = new Map(result?.lawns.map((lawn) => [lawn.jobId, lawn]))
    return (result?.moves ?? [])
      .flatMap((move): Row[] => {
        const lawn = lawns.get(move.jobId)
        return lawn ? [{ ...move, lawn }] : []
      })
      .toSorted((a, b) => b.relievesSecondsYear - a.relievesSecondsYear || b.worthSecondsYear - a.worthSecondsYear)
  }, [result])
  const open = rows.filter((row) => row.state === 'open')
  const shown = rows.filter((row) => isMeant(row, neighborhood, crewId))
  const shownOpen = shown.filter((row) => row.state === 'open').length
  // As many as move in one step, those that are worth most; the next step begins with the rest.
  const first = useMemo(
    () =>
      new Set(
        rows
          .filter((row) => row.state === 'open' && isMeant(row, neighborhood, crewId))
          .slice(0, mostMoves)
          .map((row) => row.jobId),
      ),
    [rows, neighborhood, crewId],
  )
  const ticked = useMemo(
    () =>
      rows
        .filter(
          (row) =>
            row.state === 'open' &&
            isMeant(row, neighborhood, crewId) &&
            (changes.get(row.jobId) ?? first.has(row.jobId)),
        )
        .map((row) => row.jobId),
    [rows, changes, first, neighborhood, crewId],
  )
  const isTicked = useMemo(() => new Set(ticked), [ticked])
  const [settled] = useDebouncedValue(ticked, 250)
  const mayCheck = may(seasonApi.check) && run.staleCount === 0
  const check = useQuery({ ...checkQuery(run.id, settled), enabled: mayCheck && settled.length > 0 && open.length > 0 })
  const tick = (ids: readonly string[], on: boolean) =>
    setChanges((now) => {
      const next = new Map(now)
      for (const id of ids) next.set(id, on)
      return next
    })
  const choices = (list: readonly string[]) => [...new Set(list)].sort()
  const neighborhoods = choices(open.map((row) => row.lawn.neighborhood))
  const crews = choices(open.flatMap((row) => [row.lawn.from.crewId, row.lawn.to.crewId]))
  const tooMany = ticked.length > mostMoves
  // What is shown of the ticks before says nothing of those of now.
  const isOld = check.isPlaceholderData || settled !== ticked
  const doesNotFit = !isOld && (check.data?.over.length ?? 0) > 0
  const submit = async () => {
    if (fromOn === null) return
    try {
      const done = await accept.mutateAsync({ jobIds: ticked, fromOn })
      const step = done.acceptances.at(-1)
      setNeighborhood('')
      setChanges(new Map())
      setCrewId('')
      toast.success(
        `${count(step?.moves ?? ticked.length, 'job')} moved from ${formatDay(fromOn)}${step && step.visitsKept > 0 ? `; ${count(step.visitsKept, 'visit')} stayed as placed by hand` : ''}`,
      )
    } catch (error) {
      toast.error(error)
    }
  }
  if (rows.length === 0)
    return (
      <Card title="Who would move">
        <p className="muted">Nobody: no move of a job to another day, week or crew is worth its trouble.</p>
      </Card>
    )
  return (
    <Card
      title="Who would move"
      hint={
        open.length === rows.length ? count(rows.length, 'job') : `${open.length} of ${count(rows.length, 'job')} left`
      }
    >
      {run.can.accept || open.length > 0 ? (
        <div className="season-bar">
          <SelectField
            label="Neighborhood"
            value={neighborhood}
            placeholder="All neighborhoods"
            onChange={setNeighborhood}
            options={neighborhoods.map((name) => ({
              value: name,
              label: `${name} (${open.filter((row) => row.lawn.neighborhood === name).length})`,
            }))}
          />
          <SelectField
            label="Crew"
            value={crewId}
            placeholder="All crews"
            onChange={setCrewId}
            options={crews.map((id) => ({ value: id, label: crewName(id) }))}
          />
          <DateField label="From" value={fromOn} onChange={setFromOn} min={earliestOn} today={today} />
          <Button
            kind="primary"
            calls={seasonApi.accept}
            loading={accept.isPending}
            disabled={!run.can.accept || ticked.length === 0 || tooMany || doesNotFit || fromOn === null}
            onClick={() => void submit()}
          >
            {ticked.length === 0 ? 'Move jobs' : `Move ${count(ticked.length, 'job')}`}
          </Button>
        </div>
      ) : null}
      {tooMany ? (
        <p className="season-outcome">
          At most {mostMoves} move in one step: leave {ticked.length - mostMoves} out, or choose a neighborhood or a
          crew.
        </p>
      ) : check.error && !isOld && ticked.length > 0 ? (
        <ErrorState compact error={check.error} onRetry={() => void check.refetch()} retrying={check.isFetching} />
      ) : check.data && ticked.length > 0 && run.staleCount === 0 ? (
        <Outcome
          check={check.data}
          pending={check.isFetching}
          old={isOld}
          onLeaveOut={() =>
            tick(
              ticked.filter((id) => !check.data?.fitting.includes(id)),
              false,
            )
          }
        />
      ) : null}
      <p className="season-ticks">
        <Button
          size="s"
          kind="quiet"
          onClick={() =>
            tick(
              shown
                .filter((row) => row.state === 'open')
                .slice(0, mostMoves)
                .map((row) => row.jobId),
              true,
            )
          }
        >
          {shownOpen > mostMoves ? `Tick the first ${mostMoves}` : 'Tick all'}
        </Button>
        <Button
          size="s"
          kind="quiet"
          onClick={() =>
            tick(
              shown.map((row) => row.jobId),
              false,
            )
          }
        >
          Tick none
        </Button>
        <span className="hint">
          {ticked.length} of {count(shownOpen, 'job')} ticked
          {shownOpen > mostMoves ? `; ${mostMoves} move in one step, the rest in the next` : ''}
        </span>
      </p>
      <ul className="season-moves" aria-label="Jobs that would move">
        {shown.slice(0, all ? undefined : fewRows).map(({ lawn, why, warning, state, jobId, worthSecondsYear }) => (
          <li key={jobId}>
            {state === 'open' ? (
              <CheckboxField
                label={`${lawn.street}, ${lawn.customerName}`}
                value={isTicked.has(jobId)}
                onChange={(on) => tick([jobId], on)}
                hint={`${moveText(lawn, crewName)} · ${why}${worthSecondsYear > 0 ? ` · worth ${hours(worthSecondsYear)} a year` : ''}${warning ? ` · ${warning}` : ''}`}
              />
            ) : (
              <span className="season-moved">
                <span>
                  {lawn.street}, {lawn.customerName}
                </span>
                <Badge tone="done">moved</Badge>
                <span className="hint">{moveText(lawn, crewName)}</span>
              </span>
            )}
            <LinkTo
              href={linkTo.job(jobId)}
              className="season-job"
              aria-label={`Job of ${lawn.customerName}, ${lawn.street}`}
            >
              Job
            </LinkTo>
          </li>
        ))}
      </ul>
      {shown.length > fewRows ? (
        <p className="season-more">
          <span className="hint">
            {all ? `All ${count(shown.length, 'job')}` : `${fewRows} of ${count(shown.length, 'job')} shown`}
          </span>{' '}
          <Button size="s" onClick={() => setAll(!all)}>
            {all ? `Show ${fewRows}` : `Show all ${shown.length}`}
          </Button>
        </p>
      ) : null}
    </Card>
  )
}
