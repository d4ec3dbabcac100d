import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../../../../shared/client.ts'
import { formatDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { paperWays } from '../../../../shared/paper-ways.ts'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import { Money } from '../../../../ui/Money.tsx'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { useToday } from '../../../accounts/web/session.ts'
import type { CustomerFacts as Facts, FactVisit } from '../contract.ts'
import { customerFactsQuery } from './data.ts'

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="facts__one">
    <dt>{label}</dt>
    {children}
  </div>
)

const Visit = ({ visit, none }: { visit: FactVisit | null; none: string }) => {
  const today = useToday()
  if (!visit) return <dd className="hint">{none}</dd>
  const year = visit.day.slice(0, 4) !== today.slice(0, 4)
  return (
    <>
      <dd>
        <LinkTo href={linkTo.job(visit.jobId, { visitId: visit.id })}>
          {visit.day === today ? 'Today' : formatDay(visit.day, { year })}
        </LinkTo>
        {visit.status === 'skipped' ? ', skipped' : visit.status === 'missed' ? ', missed' : ''}
      </dd>
      <dd className="hint">{[visit.title, visit.crewName].filter(Boolean).join(' · ')}</dd>
    </>
  )
}

const Owed = ({ id, money }: { id: string; money: NonNullable<Facts['money']> }) => {
  const { openCents, overdueCents, pendingCents, creditCents } = money
  const href = linkTo.invoices({ customerId: id })
  return (
    <Fact label={openCents === 0 && creditCents > 0 ? 'Credit' : 'Owes'}>
      <dd>
        <LinkTo href={href}>
          <Money
            cents={openCents === 0 ? creditCents : openCents}
            {...(overdueCents > 0 ? { tone: 'late' as const } : {})}
          />
        </LinkTo>
      </dd>
      {overdueCents > 0 ? (
        <dd className="hint">
          <Money cents={overdueCents} /> overdue
        </dd>
      ) : null}
      {pendingCents > 0 ? (
        <dd className="hint">
          <Money cents={pendingCents} /> on its way from their bank
        </dd>
      ) : null}
      {openCents > 0 && creditCents > 0 ? (
        <dd className="hint">
          <Money cents={creditCents} /> of credit not used yet
        </dd>
      ) : null}
    </Fact>
  )
}

/** "No texts: they replied STOP" */
const against = (what: string, why: string | null): string[] =>
  why === null ? [] : [`${what}: ${why.charAt(0).toLowerCase()}${why.slice(1)}`]

const wayWords = (facts: Facts): string[] => [
  ...(facts.language === 'es' ? ['In Spanish'] : []),
  `Invoices by ${paperWays[facts.paperWay].toLowerCase()}`,
  ...(facts.phone ? against('No texts', facts.noTexts) : ['No mobile number on file']),
  ...(facts.email ? against('No e-mail', facts.noMail) : ['No e-mail on file']),
  ...(facts.noOffers ? ['No offers'] : []),
]

const jobState: Record<string, string> = { draft: ' (draft)', paused: ' (paused)' }

type Job = Facts['jobs'][number]

/** This season's and the next one's go by the same name. */
const isNamedAlike = (job: Job, jobs: readonly Job[]): boolean =>
  jobs.some(({ id, title, street }) => id !== job.id && title === job.title && street === job.street)

/** What somebody looks up while they write with a customer; each thing opens its place. */
export const CustomerFacts = ({ customerId: id }: { customerId: string }) => {
  const found = useQuery(customerFactsQuery(id))
  const facts = found.data
  const today = useToday()
  // the conversation beside it says that there is none
  if (found.error instanceof ApiError && found.error.status === 404) return null
  if (found.isError && !facts)
    return (
      <ErrorState
        compact
        error={found.error}
        title="What is known of them did not load"
        onRetry={() => void found.refetch()}
        retrying={found.isFetching}
      />
    )
  if (!facts) return <PanelSkeleton />
  const { properties, propertyCount, jobs, jobCount, money } = facts
  const several = propertyCount > 1
  return (
    <dl className="facts__all">
      <Fact label="Next visit">
        <Visit visit={facts.nextVisit} none="None booked" />
      </Fact>
      <Fact label="Last visit">
        <Visit visit={facts.lastVisit} none="None yet" />
      </Fact>
      {money ? <Owed id={id} money={money} /> : null}
      <Fact label={several ? `${propertyCount} properties` : 'Property'}>
        {properties.length === 0 ? <dd className="hint">None yet</dd> : null}
        {properties.map((property) => (
          <dd key={property.id}>
            <LinkTo href={linkTo.customer(id)}>
              {[property.street, property.city].filter(Boolean).join(', ') || property.zip || 'Without an address'}
            </LinkTo>
          </dd>
        ))}
        {propertyCount > properties.length ? (
          <dd className="hint">and {propertyCount - properties.length} more</dd>
        ) : null}
      </Fact>
      <Fact label={jobCount > 1 ? `${jobCount >= 100 ? '100 or more' : jobCount} current jobs` : 'Current job'}>
        {jobs.length === 0 ? <dd className="hint">None</dd> : null}
        {jobs.map((job) => (
          <dd key={job.id}>
            <LinkTo href={linkTo.job(job.id)}>{job.title}</LinkTo>
            {jobState[job.status] ?? ''}
            {several ? <span className="hint"> {job.street}</span> : null}
            {job.startOn > today || isNamedAlike(job, jobs) ? (
              <span className="hint">
                {' '}
                {job.startOn > today ? 'from' : 'since'}{' '}
                {formatDay(job.startOn, { year: job.startOn.slice(0, 4) !== today.slice(0, 4) })}
              </span>
            ) : null}
          </dd>
        ))}
        {jobCount > jobs.length ? (
          <dd>
            <LinkTo href={linkTo.customer(id, { part: 'work' })}>All of their work</LinkTo>
          </dd>
        ) : null}
      </Fact>
      {money?.plan ? (
        <Fact label="Billing plan">
          <dd>
            <LinkTo href={linkTo.billingPlan(money.plan.id)}>{money.plan.name}</LinkTo>
          </dd>
        </Fact>
      ) : null}
      <Fact label="Written to">
        {wayWords(facts).map((words) => (
          <dd key={words}>{words}</dd>
        ))}
        <dd>
          <LinkTo href={linkTo.customer(id)}>Change how</LinkTo>
        </dd>
      </Fact>
      {facts.tags.length > 0 ? (
        <Fact label="Tags">
          <dd className="facts__tags">
            {facts.tags.map((tag) => (
              <LinkTo key={tag} href={linkTo.customers({ tag })}>
                {tag}
              </LinkTo>
            ))}
          </dd>
        </Fact>
      ) : null}
    </dl>
  )
}
