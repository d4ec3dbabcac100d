import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '../../../shared/client.ts'
import { type Day, monthNames, weekdayNames, weekdayOf } from '../../../shared/dates.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ComboboxField } from '../../../ui/ComboboxField.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconChevronDown, IconChevronUp, IconPlus, IconX } from '../../../ui/icons.ts'
import { MoreMenu } from '../../../ui/MoreMenu.tsx'
import { markColor } from '../../../ui/markColor.ts'
import { SelectField } from '../../../ui/SelectField.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay, useToday } from '../../accounts/web/session.ts'
import { visitCalendarQuery } from '../../visits/web/data.ts'
import { type RouteCandidate, type SavedRoute, savedRoutesApi } from '../saved/contract.ts'
import { ApplyRoute } from './ApplyRoute.tsx'
import { shortDuration, stopsLabel } from './plan.ts'
import { useSavedRoutes, weekdayRoutesQuery } from './savedData.ts'

/** "Your Tuesday drifted 41 min since March": what the routes that were sent say. */
const driftWords = ({ drift, weekday }: SavedRoute): string | null => {
  if (!drift) return null
  const month = monthNames[Number(drift.since.slice(5, 7)) - 1]
  const minutes = Math.abs(drift.driveMinutes)
  if (minutes < 5) return `Your ${weekdayNames[weekday]} drives as it did in ${month}.`
  const stops =
    drift.stops === 0 ? '' : `, with ${stopsLabel(Math.abs(drift.stops))} ${drift.stops > 0 ? 'more' : 'fewer'}`
  return drift.driveMinutes > 0
    ? `Your ${weekdayNames[weekday]} drifted: ${shortDuration(minutes * 60)} more driving than in ${month}${stops}.`
    : `Your ${weekdayNames[weekday]} drives ${shortDuration(minutes * 60)} less than in ${month}${stops}.`
}

const useCrews = () => useQuery(visitCalendarQuery).data?.crews ?? []

const SaveDay = ({ onClose }: { onClose: () => void }) => {
  const today = useToday()
  const crews = useCrews()
  const [day, setDay] = useState<Day | null>(today)
  const [chosen, setCrew] = useState('')
  const [typed, setName] = useState<string | null>(null)
  const { create } = useSavedRoutes()
  const crew = crews.find((one) => one.id === chosen) ?? crews[0]
  const name = typed ?? (crew && day ? `${crew.name} ${weekdayNames[weekdayOf(day)]}` : '')
  const save = async () => {
    if (!crew || day === null) return
    const saved = await create.mutateAsync({ name, day, crewId: crew.id })
    toast.success(`${saved.name} is saved with ${stopsLabel(saved.stops.length)}`)
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title="Save a day as a route">
      <FieldGrid min={200}>
        <DateField label="Day" value={day} onChange={setDay} today={today} />
        <SelectField
          label="Crew"
          value={crew?.id ?? ''}
          onChange={setCrew}
          options={crews.map((one) => ({ value: one.id, label: one.name }))}
        />
        <TextField className="is-whole" label="Name" value={name} onChange={setName} maxLength={80} />
      </FieldGrid>
      <FormActions>
        <Button
          kind="primary"
          calls={savedRoutesApi.create}
          disabled={!crew || day === null || name.trim() === ''}
          loading={create.isPending}
          onClick={() => void save().catch(toast.error)}
        >
          Save route
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Dialog>
  )
}

/** Name, weekday, crew and order of a saved route, by hand. */
const EditRoute = ({ route, onClose }: { route: SavedRoute; onClose: () => void }) => {
  const crews = useCrews()
  const [name, setName] = useState(route.name)
  const [weekday, setWeekday] = useState(String(route.weekday))
  const [crewId, setCrew] = useState(route.crewId)
  const [stops, setStops] = useState(route.stops)
  const { update } = useSavedRoutes()
  const step = (at: number, by: number) =>
    setStops((now) => {
      const next = [...now]
      const [taken] = next.splice(at, 1)
      if (taken) next.splice(at + by, 0, taken)
      return next
    })
  const found = useRef(new Map<string, RouteCandidate>())
  const search = async (q: string, signal: AbortSignal) => {
    const { items } = await call(savedRoutesApi.candidates, { params: { id: route.id }, query: { q } }, { signal })
    for (const item of items) found.current.set(item.jobId, item)
    return items
      .filter((item) => !stops.some((stop) => stop.jobId === item.jobId))
      .map((item) => ({ value: item.jobId, label: item.street, hint: item.customerName }))
  }
  const add = (jobId: string) => {
    const stop = found.current.get(jobId)
    if (!stop || stops.some((one) => one.jobId === jobId)) return
    const { afterJobId, ...shown } = stop
    const before = stops.findIndex((one) => one.jobId === afterJobId)
    // Behind a stop that was taken out meanwhile it comes last.
    const at = afterJobId === null ? 0 : before < 0 ? stops.length : before + 1
    setStops([...stops.slice(0, at), shown, ...stops.slice(at)])
    toast.success(at === 0 ? `${stop.street} comes first` : `${stop.street} comes after ${stops[at - 1]?.street}`)
  }
  const save = async () => {
    const jobIds = stops.map((stop) => stop.jobId)
    await update.mutateAsync({ id: route.id, version: route.version, name, weekday: Number(weekday), crewId, jobIds })
    toast.success(`${name} is saved`)
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={`Edit ${route.name}`} closeOnOutside={false} size="l">
      <FieldGrid min={180}>
        <TextField className="is-whole" label="Name" value={name} onChange={setName} maxLength={80} />
        <SelectField
          label="Weekday"
          value={weekday}
          onChange={setWeekday}
          options={weekdayNames.map((label, value) => ({ value: String(value), label }))}
        />
        <SelectField
          label="Crew"
          value={crewId}
          onChange={setCrew}
          options={crews.map((one) => ({ value: one.id, label: one.name }))}
        />
      </FieldGrid>
      <ol className="route-order" aria-label="Stops in order">
        {stops.map((stop, at) => (
          <li key={stop.jobId}>
            <span>
              <b>{stop.street}</b> <span className="muted">{stop.customerName}</span>
            </span>
            <IconButton
              size="s"
              label={`${stop.street} earlier`}
              icon={<IconChevronUp />}
              tooltip={false}
              disabled={at === 0}
              onClick={() => step(at, -1)}
            />
            <IconButton
              size="s"
              label={`${stop.street} later`}
              icon={<IconChevronDown />}
              tooltip={false}
              disabled={at === stops.length - 1}
              onClick={() => step(at, 1)}
            />
            <IconButton
              size="s"
              label={`Take ${stop.street} out`}
              icon={<IconX />}
              tooltip={false}
              disabled={stops.length === 1}
              onClick={() => setStops((now) => now.filter((one) => one.jobId !== stop.jobId))}
            />
          </li>
        ))}
      </ol>
      <ComboboxField
        label="Add a stop"
        placeholder="Customer or street"
        hint={`Jobs that come on a ${weekdayNames[route.weekday]}; it goes where it costs the least way.`}
        value={null}
        search={search}
        emptyText={`No other job comes on a ${weekdayNames[route.weekday]}`}
        onChange={(choice) => choice && add(choice.value)}
      />
      <FormActions>
        <Button
          kind="primary"
          calls={savedRoutesApi.update}
          disabled={name.trim() === ''}
          loading={update.isPending}
          onClick={() => void save().catch(toast.error)}
        >
          Save route
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Dialog>
  )
}

type Open = { kind: 'save' } | { kind: 'apply' | 'edit'; route: SavedRoute }

/** The usual stops of crews by weekday: made from a day, put on another one, and how far each has drifted. */
export const WeekdayRoutes = () => {
  const found = useQuery(weekdayRoutesQuery)
  const may = useMay()
  const { remove } = useSavedRoutes()
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const items = found.data?.items ?? []
  const mayChange = may(savedRoutesApi.create)
  return (
    <Card
      flush
      title="Weekday routes"
      hint="A crew’s usual stops of a weekday, in their order"
      actions={
        mayChange ? (
          <Button size="s" icon={<IconPlus />} calls={savedRoutesApi.create} onClick={() => setOpen({ kind: 'save' })}>
            Save a day
          </Button>
        ) : undefined
      }
    >
      {found.isError && !found.data ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
      ) : !found.data ? (
        <PanelSkeleton />
      ) : items.length === 0 ? (
        <p className="muted weekday-routes__none">
          None yet. Save a day that a crew drives well; then put it on any other day with the differences shown first.
        </p>
      ) : (
        <ul className="weekday-routes">
          {items.map((route) => (
            <li key={route.id}>
              <span className="saved__who">
                <b>
                  <i style={{ background: markColor(route.color) }} aria-hidden="true" />
                  {route.name}
                </b>
                <Badge dot={false}>{weekdayNames[route.weekday]}</Badge>
              </span>
              <span>
                {route.crewName} · {stopsLabel(route.stops.length)}
                {route.ended ? ` · ${route.ended} ended since` : ''}
                {driftWords(route) ? (
                  <span className={`hint${(route.drift?.driveMinutes ?? 0) >= 15 ? ' is-drift' : ''}`}>
                    {driftWords(route)}
                  </span>
                ) : null}
              </span>
              {mayChange ? (
                <span className="weekday-routes__do">
                  <Button size="s" onClick={() => setOpen({ kind: 'apply', route })}>
                    Apply…
                  </Button>
                  <MoreMenu
                    label={`More for ${route.name}`}
                    items={[
                      { label: 'Edit', onClick: () => setOpen({ kind: 'edit', route }) },
                      { label: 'Remove', onClick: () => remove.mutate(route) },
                    ]}
                  />
                </span>
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {open?.kind === 'save' ? <SaveDay onClose={close} /> : null}
      {open?.kind === 'apply' ? <ApplyRoute route={open.route} onClose={close} /> : null}
      {open?.kind === 'edit' ? <EditRoute route={open.route} onClose={close} /> : null}
    </Card>
  )
}
