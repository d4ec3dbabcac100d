import { useQuery } from '@tanstack/react-query'
import { linkTo } from '../../../shared/links.ts'
import { hubPath } from '../../../shared/paths.ts'
import { Avatar } from '../../../ui/Avatar.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { type Employee, employeesApi } from '../contract.ts'
import { employeesQuery } from './data.ts'
import { roleLabel, statusOf } from './labels.ts'
import './team.css'

const Person = ({ person }: { person: Employee }) => {
  const { label, tone } = statusOf(person)
  return (
    <li className="own-row">
      <LinkTo className="team-person" href={linkTo.person(person.id)}>
        <Avatar name={person.name} size={30} color={person.color} />
        <b>{person.name}</b>
      </LinkTo>
      <span className="hint">{roleLabel(person)}</span>
      <Badge tone={tone}>{label}</Badge>
    </li>
  )
}

/** Who may open the office, and where everybody else is. */
export const TeamCard = () => {
  const may = useMay()
  const found = useQuery({ ...employeesQuery({ status: 'active' }), enabled: may(employeesApi.list) })
  const people = found.data?.items ?? []
  const office = people.filter(({ role }) => role !== 'Employee')
  const crew = people.length - office.length
  return (
    <Card id="team" flush className="settings-card">
      <div className="settings-card__words">
        <h2>Team</h2>
        <p className="muted">Who may open the office, and what they may do there</p>
      </div>
      {found.data ? (
        <>
          <ul className="team-people">
            {office.map((person) => (
              <Person key={person.id} person={person} />
            ))}
          </ul>
          <p className="hint">
            {crew === 0
              ? 'Nobody uses the crew app yet.'
              : crew === 1
                ? 'One more person works in the crew app and sees no prices.'
                : `${crew} more people work in the crew app and see no prices.`}
          </p>
        </>
      ) : found.isError ? (
        <ErrorState
          compact
          error={found.error}
          title="We could not load your people"
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : may(employeesApi.list) ? (
        <PanelSkeleton />
      ) : (
        <p className="muted">People are the matter of the owner and of those whom the owner lets manage them.</p>
      )}
      <div className="own-row__actions">
        <Button href={hubPath('employees', 'manage')}>People and what they may do</Button>
        <Button href={hubPath('employees', 'crews')}>Crews</Button>
        {may(employeesApi.create) ? <Button href={hubPath('employees', 'create')}>Add a person</Button> : null}
      </div>
    </Card>
  )
}
