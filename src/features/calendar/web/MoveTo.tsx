import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addDays, type Day, daysBetween, formatDay } from '../../../shared/dates.ts'
import { Button } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { useToday } from '../../accounts/web/session.ts'
import { routesApi } from '../../routes/contract.ts'
import { dayRefusal, openDaysAfter } from '../../visits/days/rules.ts'
import { visitCalendarQuery } from '../../visits/web/data.ts'
import type { CalendarRange } from '../contract.ts'
import { loadPercent, longestRangeDays, type Verdict } from '../rules.ts'
import { rangeQuery, type Target } from './data.ts'
import { VerdictNote } from './VerdictNote.tsx'
import { type Card, crewDayOf, crewKey, noCrew } from './view.ts'

type Props = {
  visit: Card
  range: CalendarRange
  judge: (visit: Card, to: Target) => Verdict
  onMove: (visit: Card, to: Target) => void
  onClose: () => void
}

const Choices = ({ visit, range, judge, onMove, onClose }: Props) => {
  const { data: calendar } = useQuery(visitCalendarQuery)
  const today = useToday()
  const [day, setDay] = useState<Day | null>(null)
  const [crew, setCrew] = useState(crewKey(visit.crewId))
  const from = visit.day && visit.day > today ? visit.day : today
  const crews = calendar?.crews ?? []
  const here = visit.day !== null && visit.day >= today ? visit.day : null
  const next = calendar ? openDaysAfter(calendar, from, visit.crewId, 4) : []
  const days =
    calendar && here === null && dayRefusal(calendar, today, visit.crewId) === null
      ? [today, ...next].slice(0, 4)
      : next
  // Days that the board behind does not show are asked for, so that each choice says how full it gets.
  const beyond = days.filter((one) => !range.crewDays.some((known) => known.day === one))
  const first = beyond[0] ?? today
  const last = beyond.findLast((one) => daysBetween(first, one) < longestRangeDays) ?? first
  const later = useQuery({ ...rangeQuery(first, last), enabled: beyond.length > 0 })
  if (!calendar) return <PanelSkeleton />
  const quick: Target[] = [
    ...(here
      ? crews.filter((one) => one.id !== visit.crewId).map((one) => ({ day: here, crewId: one.id as string | null }))
      : []),
    ...days.map((one) => ({ day: one, crewId: visit.crewId })),
    ...(here && visit.crewId ? [{ day: here, crewId: null }] : []),
  ].filter((to) => judge(visit, to).stops === null)
  const nameOf = (crewId: string | null) => crews.find((one) => one.id === crewId)?.name ?? 'No crew yet'
  const take = (to: Target) => {
    onMove(visit, to)
    onClose()
  }
  const target: Target | null =
    (day ?? visit.day) ? { day: (day ?? visit.day) as Day, crewId: crew === noCrew ? null : crew } : null
  const verdict = target ? judge(visit, target) : null
  const same = target !== null && target.day === visit.day && target.crewId === visit.crewId
  return (
    <div className="cal-move">
      <p className="muted">
        {visit.day ? `Now ${formatDay(visit.day)}, ${nameOf(visit.crewId)}.` : 'It has no day yet.'}
      </p>
      <ul className="cal-choices" aria-label="Where to">
        {quick.map((to) => {
          const load = to.crewId
            ? (crewDayOf(range, to.day, to.crewId) ?? (later.data && crewDayOf(later.data, to.day, to.crewId)))
            : undefined
          const after =
            load && load.capacityMinutes > 0
              ? loadPercent({ ...load, workMinutes: load.workMinutes + visit.budgetMinutes })
              : null
          return (
            <li key={`${to.day} ${crewKey(to.crewId)}`}>
              <button type="button" className="cal-choice" onClick={() => take(to)}>
                <span className="cal-choice__words">
                  <b>{to.day === here ? nameOf(to.crewId) : to.day === today ? 'Today' : formatDay(to.day)}</b>
                  <span className="hint">{to.day === here ? 'same day' : nameOf(to.crewId)}</span>
                  {after === null ? null : <span className="num cal-choice__load">{after}% then</span>}
                </span>
                <VerdictNote verdict={judge(visit, to)} />
              </button>
            </li>
          )
        })}
      </ul>
      <FieldGrid min={170}>
        <DateField
          label="Another day"
          value={day}
          onChange={setDay}
          today={today}
          min={today}
          max={addDays(today, 730)}
          closed={(one) => judge(visit, { day: one, crewId: crew === noCrew ? null : crew }).stops}
          placeholder={visit.day ? formatDay(visit.day) : 'Jun 12'}
        />
        <SelectField
          label="Crew"
          value={crew}
          onChange={setCrew}
          options={[
            { value: noCrew, label: 'No crew yet' },
            ...crews.map((one) => ({ value: one.id, label: one.name })),
          ]}
        />
      </FieldGrid>
      {verdict && !same ? <VerdictNote verdict={verdict} id="cal-move-verdict" /> : null}
      <div className="cal-move__foot">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="primary"
          calls={routesApi.move}
          disabled={!target || same || verdict?.stops !== null}
          aria-describedby="cal-move-verdict"
          onClick={() => target && take(target)}
        >
          {target && !same ? `Move to ${formatDay(target.day)}` : 'Move'}
        </Button>
      </div>
    </div>
  )
}

/** Every way that a drag goes, by keyboard and thumb, with what speaks against each before it is taken. */
export const MoveTo = (props: Props) => (
  <Dialog open onClose={props.onClose} title={`Move ${props.visit.street}`} size="s">
    <Choices {...props} />
  </Dialog>
)
