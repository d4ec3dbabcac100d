import { useQuery } from '@tanstack/react-query'
import { type Day, formatDay, formatMinute } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconChevronDown, IconDotsVertical, IconPin } from '../../../ui/icons.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { Menu } from '../../../ui/Menu.tsx'
import { markColor } from '../../../ui/markColor.ts'
import { SortableLists, type SortList, type SortMove } from '../../../ui/SortableLists.tsx'
import { openDaysAfter } from '../../visits/days/rules.ts'
import { statusLabel } from '../../visits/rules.ts'
import { visitCalendarQuery } from '../../visits/web/data.ts'
import type { DayPlan, RouteCrew, RouteStop, UnplacedVisit } from '../contract.ts'
import { nextStep } from '../rules.ts'
import { CrewFigures } from './CrewFigures.tsx'
import {
  addedMessage,
  dueList,
  type Item,
  isThrough,
  itemId,
  itemStreet,
  lateLabel,
  offMessage,
  sharedReasons,
  stopsLabel,
  toOptimize,
  windowLabel,
} from './plan.ts'
import type { View } from './view.ts'

type Props = {
  plan: DayPlan
  openCrewId: string | null
  visitId: string | null
  narrow: boolean
  view: View
  busy: boolean
  searching: boolean
  onCrew: (crewId: string) => void
  onChoose: (visitId: string) => void
  onMove: (move: SortMove) => void
  onMoveTo: (visitId: string, crewId: string | null, position?: number) => void
  onPin: (visitId: string, pinned: boolean) => void
  onReorder: (crewId: string) => void
  onPostpone: (visitId: string, day: Day) => void
  onCrewBack: (crewId: string) => void
}

/** What is due beside the stops of the open crew; the other crews are a line each, to open or to drop a stop on. */
export const StopLists = (props: Props) => {
  const { plan, openCrewId, narrow, view, searching, onMove } = props
  const { data: calendar } = useQuery({ ...visitCalendarQuery, enabled: plan.can.change && plan.unplaced.length > 0 })
  const shared = sharedReasons(plan.unplaced)
  const noStops = toOptimize(plan, nextStep(plan)).offered
    ? 'No stops yet. Drop one here, or press Optimize.'
    : plan.unplaced.length > 0
      ? 'No stops yet. Drop one here.'
      : 'No stops yet: nothing is booked on this day.'
  const openDays = calendar ? openDaysAfter(calendar, plan.day, null, 3) : []
  const due: SortList<Item> = {
    id: dueList,
    label: 'Due, unassigned',
    items: plan.unplaced.map((visit) => ({ kind: 'due' as const, visit })),
    locked: !plan.can.change,
    header: (
      <>
        <h2 className="route__title">
          Due, unassigned <span className="hint num">{plan.unplaced.length}</span>
        </h2>
        {shared.map(({ reason, advice, count }) => (
          <p key={`${reason}${advice}`} className="due__shared">
            <b className="num">{count === plan.unplaced.length ? 'All of them' : `${count} of them`}:</b>{' '}
            <span className="due__reason">{reason}</span> {advice}
          </p>
        ))}
      </>
    ),
    empty: plan.can.change
      ? 'Everything has a crew. Drop a stop here to take it off its crew.'
      : plan.day < plan.today
        ? 'Everything had a crew.'
        : 'Everything has a crew.',
  }
  const crews = plan.crews.map((crew): SortList<Item> => {
    const isOpen = crew.crewId === openCrewId
    return {
      id: crew.crewId,
      label: crew.name,
      items: isOpen ? crew.stops.map((stop) => ({ kind: 'stop' as const, stop })) : [],
      locked: !plan.can.change,
      header: <CrewHead crew={crew} open={isOpen} {...props} />,
      empty: !isOpen ? '' : plan.can.change ? noStops : 'No stops.',
    }
  })
  const lists = narrow ? (view === 'due' ? [due] : crews) : [due, ...crews]
  const open = plan.crews.find((c) => c.crewId === openCrewId)
  return (
    <>
      <SortableLists<Item>
        lists={lists}
        itemId={itemId}
        itemLabel={itemStreet}
        isLocked={(item) => !plan.can.change || (item.kind === 'stop' && !item.stop.can.move)}
        onMove={onMove}
        render={(item, { index }) =>
          item.kind === 'due' ? (
            <DueRow
              visit={item.visit}
              openDays={openDays}
              // said once above the list; on the row again when it is the one that is looked at
              reasoned={
                item.visit.visitId === props.visitId || !shared.some(({ reason }) => reason === item.visit.reason)
              }
              {...props}
            />
          ) : (
            <StopRow stop={item.stop} number={index + 1} crew={open} {...props} />
          )
        }
      />
      {open && open.stops.length > 0 && !searching && (!narrow || view === 'stops') ? (
        <CrewFigures crew={open} />
      ) : null}
    </>
  )
}

const CrewHead = ({
  crew,
  open,
  plan,
  busy,
  onCrew,
  onReorder,
  onCrewBack,
}: Props & { crew: RouteCrew; open: boolean }) => {
  const count = crew.stops.length
  const label =
    count === 0 ? (crew.off ? offMessage[crew.off] : crew.works ? 'no stops' : 'off this day') : stopsLabel(count)
  const state =
    crew.status === null || crew.status === 'planned' ? null : crew.dirty ? (
      <Badge tone="flag">changed</Badge>
    ) : isThrough(crew) ? (
      <Badge tone="done">done</Badge>
    ) : crew.status === 'started' ? (
      <Badge tone="now">started</Badge>
    ) : (
      <Badge tone="done">sent</Badge>
    )
  const openStops = crew.stops.filter((s) => !s.begun).length
  return (
    <div className={`crew-head${open ? ' is-open' : ' crew-head--closed'}`}>
      <h2>
        <button type="button" aria-expanded={open} onClick={() => onCrew(crew.crewId)}>
          <i style={{ background: markColor(crew.color) }} aria-hidden="true" />
          <span className="crew-head__name">{crew.name}</span>
          {state}
          <span className="hint num">{label}</span>
          {open ? null : <IconChevronDown size={16} aria-hidden="true" />}
        </button>
      </h2>
      {open && plan.can.change && (openStops > 1 || crew.off) ? (
        <Menu
          width={260}
          items={[
            crew.off && {
              label: `${crew.name} works after all`,
              disabled: busy,
              onClick: () => onCrewBack(crew.crewId),
            },
            {
              label: 'Best order for this crew',
              disabled: busy || openStops < 2,
              onClick: () => onReorder(crew.crewId),
            },
            { label: 'People and shift', href: linkTo.crew(crew.crewId) },
          ]}
        >
          <IconButton label={`More for ${crew.name}`} icon={<IconDotsVertical size={18} />} size="s" tooltip={false} />
        </Menu>
      ) : null}
      {open ? (
        <p className="hint crew-head__who">
          {crew.members.length
            ? crew.members.map((m) => m.name.split(' ')[0]).join(', ')
            : crew.away.length
              ? 'Nobody at work'
              : 'Nobody on it yet: planned as one person'}
          {crew.away.length ? (
            <>
              {' · '}
              <b className="crew-head__away">{crew.away.map((name) => name.split(' ')[0]).join(', ')} off</b>
              {plan.can.change ? (
                <>
                  {' '}
                  <LinkTo href={linkTo.calendarDay(plan.day, { standIn: crew.crewId })}>Find a stand-in</LinkTo>
                </>
              ) : null}
            </>
          ) : null}
          {' · '}
          {formatMinute(crew.shiftStartMinute)} to {formatMinute(crew.shiftEndMinute)}
          {crew.depot ? '' : ' · no depot: its drive to and from it is not counted'}
        </p>
      ) : null}
    </div>
  )
}

const StopRow = ({
  stop,
  number,
  crew,
  plan,
  visitId,
  onChoose,
  onMoveTo,
  onPin,
}: Props & { stop: RouteStop; number: number; crew: RouteCrew | undefined }) => {
  const drive = Math.round(stop.driveSecondsBefore / 60)
  const window = windowLabel(stop)
  const details = [`${stop.minutes} min`, drive > 0 ? `${drive} min drive` : null, window].filter(Boolean).join(' · ')
  const movable = plan.can.change && stop.can.move
  return (
    <div className={`stop${stop.visitId === visitId ? ' is-chosen' : ''}${stop.begun ? ' is-begun' : ''}`}>
      <button type="button" className="stop__main" onClick={() => onChoose(stop.visitId)}>
        <span className="stop__number num" style={{ background: crew?.color }} aria-hidden="true">
          {number > 0 ? number : ''}
        </span>
        <b className="stop__time num">
          {stop.startMinute === null ? '' : formatMinute(stop.startMinute).replace(/ [AP]M$/, '')}
        </b>
        <span className="stop__street">{stop.street}</span>
        <span className="hint stop__details">
          {stop.customerName} · {stop.begun ? statusLabel(stop.status) : details}
          {stop.latitude === null ? ' · no map pin' : stop.approximate ? ' · approximate place' : ''}
          {stop.lateMinutes > 0 ? <span className="route__over"> · {stop.lateMinutes} min late</span> : null}
          {stop.overShift && !stop.begun && stop.lateMinutes === 0 ? (
            <span className="route__over"> · after the shift</span>
          ) : null}
        </span>
      </button>
      {movable ? (
        <span className="stop__tools">
          {stop.can.pin ? (
            <button
              type="button"
              className={`stop__pin${stop.pinned ? ' is-on' : ''}`}
              aria-pressed={stop.pinned}
              aria-label={`Keep ${stop.street} pinned to this crew, in the order of the pins`}
              title={
                stop.pinned
                  ? 'Pinned: stays on this crew, in the order of the pinned stops'
                  : 'Pin: Optimize keeps it on this crew; other stops may come before it'
              }
              onClick={() => onPin(stop.visitId, !stop.pinned)}
            >
              <IconPin size={16} aria-hidden="true" />
              {stop.pinned ? <span>pinned</span> : null}
            </button>
          ) : null}
          <Menu
            width={230}
            items={[
              number > 1 && {
                label: 'Move up',
                onClick: () => onMoveTo(stop.visitId, crew?.crewId ?? null, number - 2),
              },
              crew &&
                number < crew.stops.length && {
                  label: 'Move down',
                  onClick: () => onMoveTo(stop.visitId, crew.crewId, number),
                },
              'line',
              { heading: 'Move to' },
              ...plan.crews
                .filter((c) => c.crewId !== crew?.crewId)
                .map((c) => ({
                  key: c.crewId,
                  label: c.name,
                  icon: <i className="stop__dot" style={{ background: markColor(c.color) }} />,
                  hint: c.works ? undefined : 'off',
                  disabled: !c.works,
                  onClick: () => onMoveTo(stop.visitId, c.crewId),
                })),
              { label: 'Take off this crew', onClick: () => onMoveTo(stop.visitId, null) },
            ]}
          >
            <IconButton label={`Move ${stop.street}`} icon={<IconDotsVertical size={17} />} size="s" tooltip={false} />
          </Menu>
        </span>
      ) : null}
    </div>
  )
}

const DueRow = ({
  visit,
  plan,
  visitId,
  openDays,
  reasoned,
  onChoose,
  onMoveTo,
  onPostpone,
}: Props & { visit: UnplacedVisit; openDays: readonly Day[]; reasoned: boolean }) => {
  const [best] = visit.places
  const crew = plan.crews.find((c) => c.crewId === best?.crewId)
  const notes = [visit.customerName, visit.title, windowLabel(visit), visit.approximate ? 'approximate place' : '']
    .filter(Boolean)
    .join(' · ')
  return (
    <div className={`due${visit.visitId === visitId ? ' is-chosen' : ''}`}>
      <button type="button" className="due__main" onClick={() => onChoose(visit.visitId)}>
        <b>{visit.street}</b>
        <span className="hint">
          {visit.daysLate > 0 ? <span className="route__over">{lateLabel(visit.daysLate)} · </span> : null}
          {notes}
        </span>
        {visit.reason && reasoned ? <span className="due__reason">{visit.reason}</span> : null}
        {visit.reason && visit.advice && reasoned ? <span className="due__advice">{visit.advice}</span> : null}
      </button>
      {plan.can.change ? (
        <span className="due__side">
          {best && crew ? (
            <button
              type="button"
              className="due__place"
              title={`Put it on ${crew.name} at ${formatMinute(best.startMinute)}`}
              onClick={() => onMoveTo(visit.visitId, best.crewId, best.position)}
            >
              <b className="num">{addedMessage(best.addedDriveSeconds)}</b>
              <span className="hint">{crew.name}</span>
            </button>
          ) : null}
          <Menu
            width={240}
            items={[
              visit.adviceHref !== null && { label: 'Put this right', href: visit.adviceHref },
              visit.adviceHref !== null && ('line' as const),
              { heading: 'Put it on' },
              ...plan.crews.map((c) => {
                const place = visit.places.find((p) => p.crewId === c.crewId)
                return {
                  key: c.crewId,
                  label: c.name,
                  icon: <i className="stop__dot" style={{ background: markColor(c.color) }} />,
                  hint: c.works ? place && addedMessage(place.addedDriveSeconds) : 'off',
                  disabled: !c.works,
                  onClick: () => onMoveTo(visit.visitId, c.crewId, place?.position),
                }
              }),
              'line',
              openDays.length > 0 && { heading: 'Another day' },
              ...openDays.map((to) => ({
                key: to,
                label: formatDay(to),
                onClick: () => onPostpone(visit.visitId, to),
              })),
            ]}
          >
            <IconButton
              label={`Place ${visit.street}`}
              icon={<IconDotsVertical size={17} />}
              size="s"
              tooltip={false}
            />
          </Menu>
        </span>
      ) : null}
    </div>
  )
}
