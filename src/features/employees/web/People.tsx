import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { recordParam } from '../../../shared/links.ts'
import { formatCents } from '../../../shared/money.ts'
import { hubPath } from '../../../shared/paths.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { Avatar } from '../../../ui/Avatar.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { IconPlus } from '../../../ui/icons.ts'
import { markColor } from '../../../ui/markColor.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { RecordMissing } from '../../../ui/RecordFailed.tsx'
import { SavedViews } from '../../../ui/SavedViews.tsx'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { Table } from '../../../ui/Table.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { type Employee, employeesApi } from '../contract.ts'
import { employeesQuery } from './data.ts'
import { roleLabel, statusOf } from './labels.ts'
import { PersonPanel } from './PersonPanel.tsx'

const CrewMark = ({ crew }: { crew: Employee['crew'] }) =>
  crew ? (
    <span className="people-crew">
      <i style={{ background: markColor(crew.color) }} />
      <span>{crew.name}</span>
    </span>
  ) : (
    <span className="hint">no crew</span>
  )

const columns = [
  {
    id: 'name',
    header: 'Name',
    grow: 2,
    minWidth: 190,
    cell: (person: Employee) => (
      <span className="people-name">
        <Avatar name={person.name} size={28} color={person.color} />
        <b>{person.name}</b>
      </span>
    ),
  },
  { id: 'role', header: 'Role', leaves: 2, cell: roleLabel },
  { id: 'crew', header: 'Crew', minWidth: 130, cell: (person: Employee) => <CrewMark crew={person.crew} /> },
  {
    id: 'phone',
    header: 'Phone',
    minWidth: 140,
    leaves: 1,
    cell: (person: Employee) => (person.phone ? formatPhone(person.phone) : '–'),
  },
  {
    id: 'wage',
    header: 'Wage an hour',
    align: 'right' as const,
    cell: (person: Employee) => (person.wageCentsPerHour === null ? '–' : formatCents(person.wageCentsPerHour)),
  },
  {
    id: 'status',
    header: 'Sign-in',
    minWidth: 156,
    cell: (person: Employee) => <Badge tone={statusOf(person).tone}>{statusOf(person).label}</Badge>,
  },
]

/** Everybody of the business, with what each costs and where each works. */
export const People = () => {
  const [query, setQuery] = useSearchParams()
  const mayAdd = useMay()(employeesApi.create)
  const status = query.get('status') === 'disabled' ? 'disabled' : 'active'
  const search = query.get('search') ?? ''
  const people = useQuery(employeesQuery({ status, ...(search ? { search } : {}) }))
  const items = useMemo(() => people.data?.items ?? [], [people.data])
  const set = (changes: Record<string, string | null>) =>
    setQuery(
      (old) => {
        const next = new URLSearchParams(old)
        for (const [key, value] of Object.entries(changes)) value ? next.set(key, value) : next.delete(key)
        return next
      },
      { replace: true },
    )
  const openId = query.get(recordParam.person)
  const at = items.findIndex((person) => person.id === openId)
  // A link leads to a person whatever the list is narrowed to just now.
  const everybody = useQuery({
    ...employeesQuery({ status: 'all' }),
    enabled: openId !== null && at < 0 && people.isSuccess,
  })
  const close = () => set({ personId: null })
  const linked = everybody.data?.items.find((person) => person.id === openId)
  return (
    <>
      <PageHeader
        title="People"
        sub={people.data ? `${items.length} ${items.length === 1 ? 'person' : 'people'}` : undefined}
        actions={
          mayAdd ? (
            <Button kind="primary" icon={<IconPlus />} href={hubPath('employees', 'create')}>
              Add a person
            </Button>
          ) : undefined
        }
      />
      <div className="people-bar">
        <SavedViews
          views={[
            { id: 'active', name: 'On the team' },
            { id: 'disabled', name: 'Deactivated' },
          ]}
          currentId={status}
          onSelect={(id) => set({ status: id === 'disabled' ? id : null, personId: null })}
        />
        <SearchInput
          label="Find a person"
          placeholder="Name"
          value={search}
          onChange={(text) => set({ search: text || null })}
        />
      </div>
      <Card flush>
        <Table<Employee>
          label="People"
          columns={columns}
          rows={people.data ? items : undefined}
          rowId={(person) => person.id}
          onOpen={(person) => set({ personId: person.id })}
          currentId={openId}
          error={people.error}
          onRetry={() => void people.refetch()}
          empty={
            <EmptyState
              title={
                search ? 'Nobody has this name' : status === 'disabled' ? 'Nobody was deactivated' : 'Nobody here yet'
              }
              picture={search ? 'search' : 'unmowed'}
            >
              {search
                ? 'Try a shorter part of the name.'
                : 'People you add work in the office or on a crew; who left stays here with everything they did.'}
            </EmptyState>
          }
          mobile={(person) => (
            <span className="people-card">
              <b>{person.name}</b>
              <span className="hint">
                {roleLabel(person)}
                {person.crew ? ` · ${person.crew.name}` : ''}
              </span>
            </span>
          )}
        />
      </Card>
      {openId && at < 0 && everybody.data && !linked ? <RecordMissing what="person" onClose={close} /> : null}
      <PersonPanel
        key={openId ?? 'none'}
        person={items[at] ?? (openId ? linked : null) ?? null}
        onClose={close}
        onPrevious={at > 0 ? () => set({ personId: items[at - 1]?.id ?? null }) : undefined}
        onNext={at >= 0 && at < items.length - 1 ? () => set({ personId: items[at + 1]?.id ?? null }) : undefined}
      />
    </>
  )
}
