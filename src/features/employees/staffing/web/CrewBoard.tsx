import './staffing.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Avatar } from '../../../../ui/Avatar.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { SortableLists } from '../../../../ui/SortableLists.tsx'
import { useNarrow } from '../../../../ui/useNarrow.ts'
import { useMay, useToday } from '../../../accounts/web/session.ts'
import type { Crew, Employee } from '../../contract.ts'
import { employeesQuery } from '../../web/data.ts'
import { staffingApi } from '../contract.ts'
import { CrewChange } from './CrewDays.tsx'

/** The list of those who are on no crew. */
const nowhere = 'none'
/** Of people who are on no crew; white stands on it in both themes. */
const nobodysColor = '#5c6560'

type Asked = { person: Employee; crewId: string | null }

/** Who is on which crew today. Somebody who is dragged to another one is there from the day that is said then; nothing changes by the drop alone. */
export const CrewBoard = ({ crews }: { crews: readonly Crew[] }) => {
  const may = useMay()
  const today = useToday()
  const narrow = useNarrow()
  const found = useQuery(employeesQuery({ status: 'active' }))
  const [asked, setAsked] = useState<Asked | null>(null)
  if (!may(staffingApi.put)) return null
  const people = found.data?.items ?? []
  const crewOf = (person: Employee): string => person.crew?.id ?? nowhere
  const lists = [
    ...crews.map(({ id, name, color }) => ({ id, name, color })),
    { id: nowhere, name: 'On no crew', color: nobodysColor },
  ]
  const title = asked
    ? asked.crewId
      ? `${asked.person.name} to ${crews.find(({ id }) => id === asked.crewId)?.name}: from when?`
      : `${asked.person.name} off the crew: from when?`
    : ''
  return (
    <Card
      title="Who is on which crew"
      hint="Drag somebody to another crew. You then say from which day, and see what follows."
    >
      {found.error && !found.data ? (
        <ErrorState error={found.error} compact onRetry={() => void found.refetch()} />
      ) : found.data ? (
        <SortableLists
          className="crewboard"
          row={!narrow}
          lists={lists.map(({ id, name, color }) => {
            const items = people.filter((person) => crewOf(person) === id)
            return {
              id,
              label: name,
              items,
              header: (
                <h3 className="crewboard__head" style={{ borderTopColor: color }}>
                  {name} <span className="hint num">{items.length}</span>
                </h3>
              ),
              empty: id === nowhere ? 'Everybody is on a crew' : 'Nobody yet. Drag somebody here',
            }
          })}
          itemId={(person) => person.id}
          itemLabel={(person) => person.name}
          isLocked={(person) => !person.can.update}
          render={(person, { listId }) => (
            <span className="crewboard__person">
              <Avatar
                name={person.name}
                size={28}
                color={lists.find(({ id }) => id === listId)?.color ?? nobodysColor}
              />
              {person.name}
            </span>
          )}
          onMove={({ itemId, fromListId, toListId }) => {
            const person = people.find(({ id }) => id === itemId)
            if (person && fromListId !== toListId) setAsked({ person, crewId: toListId === nowhere ? null : toListId })
          }}
        />
      ) : (
        <Skeleton height={120} />
      )}
      {asked ? (
        <Dialog open onClose={() => setAsked(null)} title={title}>
          <CrewChange person={asked.person} today={today} crewId={asked.crewId ?? ''} onDone={() => setAsked(null)} />
        </Dialog>
      ) : null}
    </Card>
  )
}
