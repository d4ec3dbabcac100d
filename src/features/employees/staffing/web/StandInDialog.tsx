import './staffing.css'
import { useQuery } from '@tanstack/react-query'
import { type Day, formatDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { Avatar } from '../../../../ui/Avatar.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { IconAlertTriangle } from '../../../../ui/icons.ts'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useMay } from '../../../accounts/web/session.ts'
import { type CrewStaff, type StandIn, staffingApi } from '../contract.ts'
import { peopleLabel } from '../rules.ts'
import { crewStaffQuery, useStandIn } from './data.ts'

/** Of people who are on no crew; white stands on it in both themes. */
const nobodysColor = '#5c6560'

const stopsLabel = (count: number): string => (count === 1 ? '1 stop' : `${count} stops`)

/** Where somebody would come from, and what that leaves behind. */
const fromLabel = ({ home, homeStops, leaves, office }: StandIn): string =>
  !home
    ? office
      ? 'In the office, on no crew'
      : 'On no crew that day'
    : homeStops === 0
      ? `${home.name} has no stops that day`
      : leaves > 0
        ? `From ${home.name}: ${peopleLabel(leaves)} left there`
        : `From ${home.name}: nobody would be left for its ${stopsLabel(homeStops)}`

const Person = ({
  person,
  busy,
  taking,
  onTake,
}: {
  person: StandIn
  busy: boolean
  taking: boolean
  onTake: () => void
}) => {
  const warns = [
    ...(person.missing.length > 0 ? [`Without ${person.missing.join(', ')} for the stops of that day.`] : []),
    ...(person.home && person.homeStops > 0 && person.leaves === 0 ? [fromLabel(person)] : []),
    ...(person.home && person.leaves > 0 && person.homeLoses.length > 0
      ? [`${person.home.name} is left without ${person.homeLoses.join(', ')} for its stops.`]
      : []),
  ]
  return (
    <li className="standin">
      <Avatar name={person.name} size={32} color={person.home?.color ?? nobodysColor} />
      <span className="standin__who">
        <b>{person.name}</b>
        {warns.length > 0 ? (
          <span className="standin__warn">
            <IconAlertTriangle size={14} aria-hidden="true" />
            {warns.join(' ')}
          </span>
        ) : (
          <span className="hint">{fromLabel(person)}</span>
        )}
      </span>
      <Button
        size="s"
        calls={staffingApi.standIn}
        loading={taking}
        disabled={busy && !taking}
        aria-label={`Put on the crew: ${person.name}`}
        onClick={onTake}
      >
        Put on the crew
      </Button>
    </li>
  )
}

const Body = ({ staff }: { staff: CrewStaff }) => {
  const may = useMay()
  const { add, end } = useStandIn()
  const { crew, day } = staff
  const away = staff.members.filter((one) => one.away)
  const there = staff.members.filter((one) => !one.away)
  const take = async (person: StandIn) => {
    const lent = { crewId: crew.id, day, userId: person.userId }
    try {
      const { changeId } = await add.mutateAsync({ ...lent, seenOn: person.home?.id ?? null })
      if (changeId)
        toast.undo(
          `${person.name} is on ${crew.name} on ${formatDay(day)}`,
          () => end.mutate({ ...lent, changeId }),
          `standin:${person.userId}`,
        )
    } catch {
      // said by the mutation
    }
  }
  const asking = add.isPending ? add.variables?.userId : undefined
  return (
    <div className="standins">
      <p>
        {staff.stops > 0 ? `${stopsLabel(staff.stops)} on ${formatDay(day)}. ` : `No stops on ${formatDay(day)} yet. `}
        {away.length > 0 ? `${away.map((one) => one.name).join(', ')} off. ` : ''}
        {there.length > 0 ? `At work: ${there.map((one) => one.name).join(', ')}.` : 'Nobody is at work.'}
      </p>
      {staff.missing.length > 0 ? (
        <p className="standin__warn">
          <IconAlertTriangle size={14} aria-hidden="true" />
          Nobody at work has {staff.missing.join(', ')}, which the stops need.
        </p>
      ) : null}
      {there.some((one) => one.lentBy) ? (
        <ul aria-label="Standing in">
          {there.flatMap((one) => {
            const { lentBy } = one
            return lentBy
              ? [
                  <li key={one.userId} className="standin">
                    <Avatar name={one.name} size={32} color={crew.color} />
                    <span className="standin__who">
                      <b>{one.name}</b>
                      <span className="hint">stands in for this day only</span>
                    </span>
                    <Button
                      size="s"
                      calls={staffingApi.endStandIn}
                      loading={end.isPending}
                      onClick={() => end.mutate({ crewId: crew.id, day, userId: one.userId, changeId: lentBy })}
                    >
                      Take back
                    </Button>
                  </li>,
                ]
              : []
          })}
        </ul>
      ) : null}
      {may(staffingApi.standIn) && staff.people.length > 0 ? (
        <ul aria-label="Who could come">
          {staff.people.map((person) => (
            <Person
              key={person.userId}
              person={person}
              busy={add.isPending}
              taking={asking === person.userId}
              onTake={() => void take(person)}
            />
          ))}
        </ul>
      ) : (
        <p className="hint">Nobody else is free on {formatDay(day)}: everybody is on this crew already, or off.</p>
      )}
      {staff.stops > 0 ? (
        <p className="standins__else">
          Nobody fits?{' '}
          <Button size="s" href={linkTo.routeDay(day, { crewId: crew.id, out: true })}>
            Give the stops to other crews
          </Button>
        </p>
      ) : null}
    </div>
  )
}

/** Who is at work for a crew on a day, and who comes to help with one tap, for that day only. */
export const StandInDialog = ({ crewId, day, onClose }: { crewId: string; day: Day; onClose: () => void }) => {
  const found = useQuery(crewStaffQuery(crewId, day))
  return (
    <Dialog
      open
      onClose={onClose}
      title={found.data ? `${found.data.crew.name}, ${formatDay(day)}: who stands in?` : 'Who stands in?'}
    >
      {found.data ? (
        <Body staff={found.data} />
      ) : found.error ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
      ) : (
        <PanelSkeleton />
      )}
    </Dialog>
  )
}
