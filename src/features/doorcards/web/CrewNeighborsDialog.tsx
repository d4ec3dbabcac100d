import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Day, dayOf, formatDay } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { lazyPart } from '../../../ui/lazyAhead.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { useUser } from '../../accounts/web/session.ts'
import type { CrewRoom, NearPerson } from '../contract.ts'
import { crewNeighborsQuery, roomsQuery } from './data.ts'
import { NeighborsDialog } from './NeighborsDialog.tsx'
import { feetLabel } from './words.ts'
import './doorcards.css'

const MessageSeveral = lazyPart(() => import('../../mailings/web/MessageSeveral.tsx').then((m) => m.MessageSeveral))

type Props = { day?: Day; crewId?: string; onClose: () => void }

const freeLabel = (minutes: number): string =>
  minutes < 15 ? 'full' : `${Math.floor(minutes / 60)} h ${minutes % 60} min free`
const roomLabel = ({ name, freeMinutes }: CrewRoom): string => `${name}: ${freeLabel(freeMinutes)}`

const whereOf = ({ street, meters, stopStreet, archived }: NearPerson): string =>
  [street, `${feetLabel(meters)} from ${stopStreet}`, archived ? 'archived' : null].filter(Boolean).join(' · ')

/** Whom to win for a crew that has time left: people near its stops for whom nothing is booked, to be written to or to get a card. */
export const CrewNeighborsDialog = ({ day: opened, crewId: chosenCrew, onClose }: Props) => {
  const { timeZone } = useUser().business
  const today = dayOf(new Date(), timeZone)
  const [day, setDay] = useState<Day>(opened ?? today)
  const [picked, setPicked] = useState<string | null>(chosenCrew ?? null)
  const [dropped, setDropped] = useState<ReadonlySet<string>>(new Set())
  const [next, setNext] = useState<'message' | 'cards' | null>(null)
  const rooms = useQuery(roomsQuery(day))
  const crews = rooms.data?.crews ?? []
  const crewId = crews.some(({ id }) => id === picked) ? picked : (crews[0]?.id ?? null)
  const near = useQuery({ ...crewNeighborsQuery(crewId ?? '', day), enabled: crewId !== null })
  const people = near.data?.people ?? []
  const past = people.filter(({ customerId }) => customerId !== null)
  const leads = people.filter(({ leadId }) => leadId !== null)
  const ids = past.flatMap(({ customerId, archived }) =>
    customerId && !archived && !dropped.has(customerId) ? [customerId] : [],
  )
  const toggle = (id: string, on: boolean) => {
    const left = new Set(dropped)
    if (on) left.delete(id)
    else left.add(id)
    setDropped(left)
  }
  const stops = near.data?.stops ?? []
  if (next === 'message')
    return <MessageSeveral choice={{ ids }} about="offer" onClose={() => setNext(null)} onDone={onClose} />
  if (next === 'cards') return <NeighborsDialog properties={stops} onClose={() => setNext(null)} />
  const failed = rooms.isError && !rooms.data ? rooms : near.isError && !near.data ? near : null
  return (
    <Dialog open onClose={onClose} title="Neighbors for a crew with room">
      <div className="panel-stack">
        <FieldGrid min={200}>
          <DateField label="Day" value={day} today={today} onChange={(value) => value && setDay(value)} />
          {crews.length > 0 ? (
            <SelectField
              label="Crew"
              value={crewId ?? ''}
              onChange={setPicked}
              options={crews.map((crew) => ({ value: crew.id, label: roomLabel(crew) }))}
            />
          ) : null}
        </FieldGrid>
        {failed ? (
          <ErrorState compact error={failed.error} onRetry={() => void failed.refetch()} retrying={failed.isFetching} />
        ) : rooms.data && crews.length === 0 ? (
          <p className="muted">No crew works on {formatDay(day)}. Choose another day.</p>
        ) : !near.data ? (
          <Skeleton height={200} />
        ) : stops.length === 0 ? (
          <p className="muted">This crew has no stop on {formatDay(day)} yet, so nobody is near one.</p>
        ) : (
          <>
            {people.length === 0 ? (
              <p className="muted">
                Nobody without a job is known near these stops. Door cards still reach the houses beside them.
              </p>
            ) : null}
            {past.length > 0 ? (
              <section className="panel-section" aria-label="Customers of before">
                <h3>Customers of before</h3>
                <p className="hint">They know you, and nothing is booked for them. A message is an offer.</p>
                <div className="doors">
                  {past.map((person) => (
                    <CheckboxField
                      key={person.customerId}
                      label={person.name}
                      hint={whereOf(person)}
                      disabled={person.archived}
                      value={!person.archived && !dropped.has(person.customerId ?? '')}
                      onChange={(on) => toggle(person.customerId ?? '', on)}
                    />
                  ))}
                </div>
              </section>
            ) : null}
            {leads.length > 0 ? (
              <section className="panel-section" aria-label="People who asked">
                <h3>People who asked</h3>
                <p className="hint">Leads that are not customers yet: call them, or send a quote.</p>
                <ul className="doors doors--leads">
                  {leads.map((person) => (
                    <li key={person.leadId}>
                      <LinkTo href={linkTo.lead(person.leadId ?? '')}>{person.name}</LinkTo>
                      <span className="hint">{whereOf(person)}</span>
                    </li>
                  ))}
                </ul>
              </section>
            ) : null}
          </>
        )}
        <FormActions>
          <Button kind="primary" disabled={ids.length === 0} onClick={() => setNext('message')}>
            {ids.length === 1 ? 'Message 1 customer' : `Message ${ids.length} customers`}
          </Button>
          <Button disabled={stops.length === 0} onClick={() => setNext('cards')}>
            Door cards
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </div>
    </Dialog>
  )
}
