import './fill.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../../shared/client.ts'
import { type Day, formatDay, formatDuration, formatMinute } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { CheckboxField } from '../../../../ui/CheckboxField.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { markColor } from '../../../../ui/markColor.ts'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { useMay } from '../../../accounts/web/session.ts'
import { type DayPlan, routesApi } from '../../contract.ts'
import { planStep } from '../../web/data.ts'
import { type FillPlaced, type FillPreview, fillApi } from '../contract.ts'
import { fullPercent } from '../rules.ts'
import { fillQuery } from './data.ts'

/** The day is another one now: as the answer says, where there is one; `undoneId` is what was taken back. */
type OnChange = (plan?: DayPlan, undoneId?: string) => void

const visitsLabel = (count: number): string => `${count} ${count === 1 ? 'visit' : 'visits'}`
const drivingLabel = (seconds: number): string =>
  `${seconds < 0 ? '−' : '+'}${formatDuration(Math.abs(seconds))} driving`

const factsOf = (place: FillPlaced): string =>
  [
    place.daysLate > 0 ? `${place.daysLate} ${place.daysLate === 1 ? 'day' : 'days'} late` : null,
    place.closesOn ? `until ${formatDay(place.closesOn)}` : null,
    place.startMinute === null ? null : `at ${formatMinute(place.startMinute)}`,
    `${place.budgetMinutes} labor min`,
    drivingLabel(place.addedDriveSeconds),
    place.priceCents === null ? null : formatCents(place.priceCents),
  ]
    .filter(Boolean)
    .join(' · ')

/** Ones that are left out stand there to be taken in again. */
const Places = ({
  places,
  out,
  onTick,
}: {
  places: readonly FillPlaced[]
  out: boolean
  onTick: (place: FillPlaced, on: boolean) => void
}) => (
  <ul>
    {places.map((place) => (
      <li key={place.visitId}>
        <CheckboxField
          label={`${place.street}, ${place.customerName}`}
          value={!out}
          onChange={(on) => onTick(place, on)}
          hint={out ? place.title : `${place.title} · ${factsOf(place)}`}
        />
      </li>
    ))}
  </ul>
)

const Crew = ({
  crew,
  places,
  onTick,
}: {
  crew: FillPreview['crews'][number]
  places: readonly FillPlaced[]
  onTick: (place: FillPlaced, on: boolean) => void
}) => (
  <section className="fill__crew">
    <h3>
      <i style={{ background: markColor(crew.color) }} aria-hidden="true" />
      {crew.name}
      <span className="hint num">
        {crew.percentBefore}% → {crew.percentAfter}% of its day
      </span>
    </h3>
    {crew.laterStops > 0 ? (
      <p className="hint">
        {crew.laterStops === 1 ? '1 stop that stands there begins' : `${crew.laterStops} stops that stand there begin`}{' '}
        up to {formatDuration(crew.laterMinutes * 60)} later.
      </p>
    ) : null}
    <Places places={places} out={false} onTick={onTick} />
  </section>
)

const Sums = ({ chosen, addedDriveSeconds }: { chosen: readonly FillPlaced[]; addedDriveSeconds: number }) => {
  const cents = chosen.some((one) => one.priceCents === null)
    ? null
    : chosen.reduce((sum, one) => sum + (one.priceCents ?? 0), 0)
  const labor = chosen.reduce((sum, one) => sum + one.budgetMinutes, 0)
  return (
    <dl className="fill__sums">
      <div>
        <dt>Visits</dt>
        <dd className="num">{chosen.length}</dd>
      </div>
      <div>
        <dt>Work</dt>
        <dd className="num">{formatDuration(labor * 60)} of labor</dd>
      </div>
      <div>
        <dt>Road</dt>
        <dd className="num">{drivingLabel(addedDriveSeconds)}</dd>
      </div>
      {cents === null ? null : (
        <div>
          <dt>Price</dt>
          <dd className="num">{formatCents(cents)}</dd>
        </div>
      )}
    </dl>
  )
}

/** Whether what fits became another list by what somebody else did: what one unticks comes back with `fresh` between. */
const useOthers = ({ places, left }: FillPreview, fresh: boolean): boolean => {
  const due = [...places, ...left]
    .map(({ visitId }) => visitId)
    .sort()
    .join()
  const [seen, setSeen] = useState({ due, fresh, others: false })
  if (seen.due !== due || seen.fresh !== fresh)
    setSeen({ due, fresh, others: seen.others || (seen.fresh && fresh && seen.due !== due) })
  return seen.others
}

const Question = ({
  preview,
  fresh,
  out,
  onTick,
  onClose,
  onChange,
}: {
  preview: FillPreview
  /** It is reckoned with what is ticked now. */
  fresh: boolean
  out: readonly FillPlaced[]
  onTick: (place: FillPlaced, on: boolean) => void
  onClose: () => void
  onChange: OnChange
}) => {
  const { day, places, left, crews } = preview
  const client = useQueryClient()
  const reload: OnChange = (...changed) => {
    void client.invalidateQueries({ queryKey: ['routes'] })
    onChange(...changed)
  }
  const undo = useIdempotentMutation({
    ...planStep,
    mutationFn: (changeId: string, key) => call(routesApi.undo, { body: { day, changeId } }, { idempotencyKey: key }),
    onSuccess: () => toast.success('Undone: they wait again'),
    onError: (error) => toast.error(error),
    onSettled: (done, _error, changeId) => reload(done?.plan, changeId),
  })
  const fill = useIdempotentMutation({
    ...planStep,
    mutationFn: (chosen: readonly FillPlaced[], key) =>
      call(
        fillApi.fill,
        { body: { day, places: chosen.map(({ visitId, version, crewId }) => ({ visitId, version, crewId })) } },
        { idempotencyKey: key },
      ),
    onSuccess: ({ plan, placed }, chosen) => {
      // Both of two fast clicks have the one answer: one message.
      const took = crews.filter((crew) => chosen.some(({ crewId }) => crewId === crew.crewId)).map(({ name }) => name)
      toast.undo(
        `${visitsLabel(placed)} placed on ${formatDay(day)}: ${took.join(', ')}`,
        () => plan.undo && undo.mutate(plan.undo.id),
        `fill:${plan.undo?.id ?? day}`,
      )
      onClose()
    },
    // The list below is read again: what stood there is not so any more.
    onError: (error) => toast.error(error),
    onSettled: (done) => reload(done?.plan),
  })
  const others = useOthers(preview, fresh)
  const chosen = places.filter((one) => !out.some(({ visitId }) => visitId === one.visitId))
  return (
    <div className="fill">
      <p className="muted">
        The best of what is due, late work first, until each crew is at {fullPercent}% of its day with its driving. What
        stands on the day keeps its crew and its turn.
      </p>
      {others ? <Banner tone="info">The day changed while this was open. The list shows what fits now.</Banner> : null}
      {places.length > 0 ? (
        <>
          <Sums chosen={chosen} addedDriveSeconds={preview.addedDriveSeconds} />
          {crews
            .filter((crew) => crew.placed > 0)
            .map((crew) => (
              <Crew
                key={crew.crewId}
                crew={crew}
                places={chosen.filter((one) => one.crewId === crew.crewId)}
                onTick={onTick}
              />
            ))}
        </>
      ) : (
        <p>
          <b>
            {left.length > 0
              ? 'Nothing more fits on this day.'
              : out.length > 0
                ? 'All of it is left out.'
                : 'Nothing is due.'}
          </b>
        </p>
      )}
      {out.length > 0 ? (
        <section className="fill__crew">
          <h3>Left out</h3>
          <Places places={out} out onTick={onTick} />
        </section>
      ) : null}
      {left.length > 0 ? (
        <details className="fill__left" open={places.length === 0}>
          <summary>{visitsLabel(left.length)} not placed, and why</summary>
          <ul>
            {left.map((one) => (
              <li key={one.visitId}>
                <b>{one.street}</b> <span className="muted">{one.reason}</span>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      <FormActions>
        {places.length > 0 ? (
          <Button
            kind="primary"
            calls={fillApi.fill}
            disabled={chosen.length === 0 || !fresh}
            loading={fill.isPending}
            onClick={() => fill.mutate(chosen)}
          >
            {chosen.length === 0 ? 'Place none' : `Place ${visitsLabel(chosen.length)}`}
          </Button>
        ) : null}
        <Button onClick={onClose}>{places.length > 0 ? 'Cancel' : 'Close'}</Button>
      </FormActions>
    </div>
  )
}

const FillDialog = ({ day, onClose, onChange }: { day: Day; onClose: () => void; onChange: OnChange }) => {
  const [out, setOut] = useState<readonly FillPlaced[]>([])
  const found = useQuery(
    fillQuery(
      day,
      out.map(({ visitId }) => visitId),
    ),
  )
  const tick = (place: FillPlaced, on: boolean) =>
    setOut((was) => [...was.filter(({ visitId }) => visitId !== place.visitId), ...(on ? [] : [place])])
  return (
    <Dialog open onClose={onClose} title={`Fill ${formatDay(day, { long: true })}`}>
      {found.data ? (
        <Question
          preview={found.data}
          fresh={!found.isPlaceholderData}
          out={out}
          onTick={tick}
          onClose={onClose}
          onChange={onChange}
        />
      ) : found.error ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
      ) : (
        <PanelSkeleton />
      )}
    </Dialog>
  )
}

type Props = {
  day: Day
  /** Nothing waits. */
  disabled: boolean
  /** Said where only one crew is on the screen. */
  allCrews?: boolean
  onChange: OnChange
}

/** Asks what of the due work a day would take, and places it with one yes. */
export const FillDay = ({ day, disabled, allCrews = false, onChange }: Props) => {
  const [open, setOpen] = useState(false)
  const may = useMay()(fillApi.fill)
  return may ? (
    <>
      <Button size="s" disabled={disabled} onClick={() => setOpen(true)}>
        {allCrews ? 'Fill this day, all crews' : 'Fill this day'}
      </Button>
      {open ? <FillDialog day={day} onClose={() => setOpen(false)} onChange={onChange} /> : null}
    </>
  ) : null
}
