import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { addDays, daysBetween, formatDay, weekdayNames, weekdayOf } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { isApproximate } from '../../../shared/places.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { IconLasso, IconMapPin, IconPlus, IconUpload } from '../../../ui/icons.ts'
import { MapView } from '../../../ui/MapView.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay, useToday } from '../../accounts/web/session.ts'
import { useLookAgain } from '../../geocoding/web/data.ts'
import { customersApi } from '../contract.ts'
import { type Assign, BulkActions } from './BulkActions.tsx'
import { CustomerFilters } from './CustomerFilters.tsx'
import { CustomerPanel } from './CustomerPanel.tsx'
import { pinsQuery } from './data.ts'
import { usePlaceInList } from './filter.ts'
import { useMovePins } from './movePins.ts'
import { StackDialog } from './StackDialog.tsx'
import { stacked } from './stackPins.ts'
import './customers.css'

/** The color of a pin says on which weekday the crew comes next. */
const dayColors = [
  'var(--crew-7)',
  'var(--crew-1)',
  'var(--crew-3)',
  'var(--crew-4)',
  'var(--crew-2)',
  'var(--crew-6)',
  'var(--crew-5)',
] as const
/** More pins than this are gathered into numbers until one zooms in. */
const mostSingle = 300
const noPins: [] = []
const noneColor = 'var(--crew-8)'

type Group = 'none' | number
const groupOf = (day: string | null): Group => (day === null ? 'none' : weekdayOf(day))

const whenLabel = (day: string | null, today: string): string => {
  if (day === null) return 'nothing booked'
  const away = daysBetween(today, day)
  return away === 0
    ? 'today'
    : away === 1
      ? 'tomorrow'
      : day < addDays(today, 7)
        ? `on ${weekdayNames[weekdayOf(day)]}`
        : formatDay(day)
}

/** More in one action would not fit a request. */
const mostPicked = 1_000

type LassoProps = { picked: readonly string[]; onAgain: () => void; archived: boolean; assign: Assign | undefined }

/** What can be done with the customers that a line was drawn around; it lies at the foot of the map, in sight at any width. */
const LassoBar = ({ picked, onAgain, archived, assign }: LassoProps) =>
  picked.length === 0 ? (
    <section className="lasso-bar lasso-bar--hint" aria-label="Select an area">
      <p role="status">
        <b>Draw around the customers you mean.</b> Press, draw and let go, by mouse or finger. Without a pointer, filter
        and select them in the list.
      </p>
    </section>
  ) : (
    <section className="lasso-bar" aria-label="Selected customers">
      <span role="status">
        <b className="num">
          {`${picked.length.toLocaleString('en-US')} ${picked.length === 1 ? 'customer is' : 'customers are'} selected.`}
        </b>
        {picked.length > mostPicked
          ? ' That is more than 1,000 at once. Draw around fewer, or filter them in the list and select all.'
          : null}
      </span>
      <span className="lasso-bar__tools">
        {picked.length > mostPicked ? null : (
          <BulkActions
            choice={{ ids: [...picked] }}
            count={picked.length}
            archived={archived}
            onDone={onAgain}
            assign={assign}
          />
        )}
        <Button size="s" kind="quiet" onClick={onAgain}>
          Draw again
        </Button>
      </span>
    </section>
  )

export const CustomerMap = ({ assign }: { assign?: Assign | undefined }) => {
  const place = usePlaceInList()
  const today = useToday()
  const map = useQuery(pinsQuery(place.filter))
  const again = useLookAgain()
  const lookAgain = () =>
    again.mutate(undefined, {
      onSuccess: ({ waiting }) =>
        toast.success(
          waiting === 1 ? 'One address is looked up' : `${waiting.toLocaleString('en-US')} addresses are looked up`,
        ),
      onError: toast.error,
    })
  const may = useMay()
  const [moving, setMoving] = useState(false)
  const [lassoing, setLassoing] = useState(false)
  const [picked, setPicked] = useState<readonly string[]>([])
  const [only, setOnly] = useState<Group | null>(null)
  const { pins: all, move } = useMovePins(map.data?.pins ?? noPins, () => void map.refetch())
  const pick = (ids: string[]) => {
    const inside = new Set(ids.flatMap((id) => stacks.get(id)?.map((pin) => pin.id) ?? id))
    const customers = [...new Set(all.filter((pin) => inside.has(pin.id)).map((pin) => pin.customerId))]
    if (customers.length === 0) toast.message('No customer is inside that line. Draw around their pins.')
    setPicked(customers)
  }
  const chosen = useMemo(() => new Set(picked), [picked])
  const pins = useMemo(
    () =>
      all
        .filter((pin) => only === null || groupOf(pin.nextVisitDay) === only)
        .map((pin) => {
          const group = groupOf(pin.nextVisitDay)
          return {
            id: pin.id,
            lat: pin.latitude,
            lon: pin.longitude,
            name: `${pin.name}, ${pin.street}: ${whenLabel(pin.nextVisitDay, today)}${isApproximate(pin.quality) ? ' (approximate place)' : ''}`,
            rough: isApproximate(pin.quality),
            kind: 'customer' as const,
            color: group === 'none' ? noneColor : (dayColors[group] ?? noneColor),
            selected: pin.customerId === place.customerId || chosen.has(pin.customerId),
          }
        }),
    [all, only, today, place.customerId, chosen],
  )
  // a pin that is dragged stands alone
  const { shown, stacks } = useMemo(() => {
    const list = moving ? [] : stacked(pins)
    return {
      shown: moving ? pins : list.map(({ pin }) => pin),
      stacks: new Map(list.filter(({ of }) => of.length > 1).map(({ pin, of }) => [pin.id, of])),
    }
  }, [pins, moving])
  const [stackId, setStackId] = useState<string | null>(null)
  const stack = stackId === null ? undefined : stacks.get(stackId)
  const openPin = (id: string) => place.change({ customerId: all.find((pin) => pin.id === id)?.customerId ?? null })
  const groups: Group[] = [1, 2, 3, 4, 5, 6, 0, 'none']
  const counted = groups
    .map((group) => ({ group, count: all.filter((pin) => groupOf(pin.nextVisitDay) === group).length }))
    .filter(({ count }) => count > 0)
  // few enough to tell apart keep their colors; a map is made anew when this changes
  const gathered = !moving && all.length > mostSingle
  const total = all.length + (map.data?.withoutPin ?? 0)

  const notes = (
    <>
      {map.data && map.data.withoutPin > 0 ? (
        <div className="customers-banner">
          <Banner
            tone="warn"
            title={`${map.data.withoutPin.toLocaleString('en-US')} ${map.data.withoutPin === 1 ? 'address has' : 'addresses have'} no map pin yet.`}
            action={<Button href={linkTo.customers({ noPin: true })}>Show them</Button>}
          >
            Open one and click the map where the house is. Without a pin it cannot be put on a route.
          </Banner>
        </div>
      ) : null}
      {map.data && map.data.approximate > 0 && !moving ? (
        <div className="customers-banner">
          <Banner
            tone="info"
            title={`${map.data.approximate.toLocaleString('en-US')} ${map.data.approximate === 1 ? 'place is' : 'places are'} approximate.`}
            action={
              <>
                <Button href={linkTo.customers({ approximate: true })}>Show them</Button>
                <Button loading={again.isPending} onClick={lookAgain}>
                  Look them up again
                </Button>
              </>
            }
          >
            Pins with a broken ring stand in the middle of their ZIP code. Drag them to the driveway with “Move pins”.
          </Banner>
        </div>
      ) : null}
    </>
  )
  return (
    <>
      <PageHeader
        title="Customer map"
        sub={map.data ? `${all.length.toLocaleString('en-US')} places, colored by the day the crew comes next` : ' '}
        actions={
          <>
            {may(customersApi.bulk) && !moving ? (
              <Button
                icon={<IconLasso />}
                aria-pressed={lassoing}
                onClick={() => {
                  setLassoing(!lassoing)
                  setPicked([])
                }}
                disabled={all.length === 0}
              >
                {lassoing ? 'Done selecting' : 'Select an area'}
              </Button>
            ) : null}
            {may(customersApi.setLocation) && !lassoing ? (
              <Button
                icon={<IconMapPin />}
                aria-pressed={moving}
                onClick={() => setMoving(!moving)}
                disabled={all.length === 0}
              >
                {moving ? 'Done moving pins' : 'Move pins'}
              </Button>
            ) : null}
            {may(customersApi.create) ? (
              <Button calls={customersApi.create} kind="primary" icon={<IconPlus />} href="/customers?tab=create">
                Add customer
              </Button>
            ) : null}
          </>
        }
      />
      <CustomerFilters place={place} />
      {moving ? (
        <div className="customers-banner">
          <Banner tone="info" title="Drag a pin to the driveway.">
            Zoom in until it stands alone. What you set by hand is never moved by a look-up.
          </Banner>
        </div>
      ) : null}
      {map.data && map.data.leftOut > 0 ? (
        <div className="customers-banner">
          <Banner tone="info">{`The first 10,000 places are shown; ${map.data.leftOut.toLocaleString('en-US')} more fit the filter. Narrow it to see them.`}</Banner>
        </div>
      ) : null}
      {map.isError && !map.data ? (
        <ErrorState error={map.error} onRetry={() => void map.refetch()} />
      ) : map.isPending ? (
        <Skeleton height={560} />
      ) : total === 0 ? (
        place.narrowed ? (
          <EmptyState
            picture="search"
            title="No place fits"
            action={<Button href="/customers?tab=map">Show all places</Button>}
          />
        ) : (
          <EmptyState
            title="Your customers on the map"
            action={
              <Button icon={<IconUpload />} href={linkTo.import('new')}>
                Import your list
              </Button>
            }
          >
            Every address becomes a pin, colored by the day the crew comes next, so that you see where your days are
            thin.
          </EmptyState>
        )
      ) : (
        <div className="customer-map">
          <fieldset className="customer-map__legend">
            <legend className="ui-hidden">Show one day</legend>
            {counted.map(({ group, count }) => (
              <button
                key={group}
                type="button"
                className="ui-chip"
                aria-pressed={only === group}
                onClick={() => setOnly(only === group ? null : group)}
              >
                <i style={{ background: group === 'none' ? noneColor : dayColors[group] }} aria-hidden="true" />
                {group === 'none' ? 'Nothing booked' : weekdayNames[group]}
                <span className="num ui-chip__count">{count}</span>
              </button>
            ))}
          </fieldset>
          <div className="customer-map__map">
            <MapView
              label="Your customers"
              pins={shown}
              key={gathered ? 'gathered' : 'single'}
              cluster={gathered}
              height="100%"
              fitKey={`${JSON.stringify(place.filter)} ${only}`}
              draggableIds={moving ? pins.map((pin) => pin.id) : []}
              onPinClick={(id) => (stacks.has(id) ? setStackId(id) : openPin(id))}
              {...(moving ? { onPinDrag: move } : {})}
              {...(lassoing && picked.length === 0 ? { onLasso: pick } : {})}
            />
          </div>
        </div>
      )}
      {stack ? (
        <StackDialog
          pins={stack}
          onClose={() => setStackId(null)}
          onChoose={(id) => {
            setStackId(null)
            openPin(id)
          }}
        />
      ) : null}
      {lassoing ? (
        <LassoBar
          picked={picked}
          onAgain={() => setPicked([])}
          archived={place.filter.archived === true}
          assign={assign}
        />
      ) : null}
      {/* the map comes first: what is wrong with some of its pins stands below it */}
      <div className="customer-map__notes">{notes}</div>
      {place.customerId ? (
        <CustomerPanel
          id={place.customerId}
          part={place.part}
          onOther={(id) => place.change({ customerId: id }, { replace: true })}
          onPart={(part) => place.change({ activeTab: part === 'overview' ? null : part }, { replace: true })}
          onClose={() => place.change({ customerId: null, activeTab: null })}
        />
      ) : null}
    </>
  )
}
