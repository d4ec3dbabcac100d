import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { linkTo } from '#src/shared/links.ts'
import { Button } from '#src/ui/Button.tsx'
import { Card } from '#src/ui/Card.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { ErrorState } from '#src/ui/ErrorState.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { CardSkeleton } from '#src/ui/Skeleton.tsx'
import { Tabs } from '#src/ui/Tabs.tsx'
import { MayOnly } from '../../accounts/web/MayOnly.tsx'
import { servicesQuery } from '../../services/web/data.ts'
import { jobsApi } from '../contract.ts'
import { PutOnProgram } from '../programs/web/PutOnProgram.tsx'
import { calendarQuery } from './data.ts'
import { ManyCustomers } from './ManyCustomers.tsx'
import { OneCustomer } from './OneCustomer.tsx'

const titles = { one: 'Create a job', many: 'Create jobs', program: 'Put a program on' }
const subs = {
  one: 'One job, once or for the season, with its visits on the calendar at once.',
  many: 'One job for every property of a filtered list, each priced by its own lawn.',
  program: 'Rounds over a season: each stands in the due list when its window opens.',
}

/** Books work: for one customer, or the same for many. */
const JobForm = () => {
  const [query] = useSearchParams()
  const asked = query.get('for')
  const mode = asked === 'many' || asked === 'program' ? asked : 'one'
  const services = useQuery(servicesQuery)
  const calendar = useQuery(calendarQuery)
  const failed = services.error && !services.data ? services : calendar.error && !calendar.data ? calendar : null
  return (
    <>
      <PageHeader
        title={titles[mode]}
        sub={subs[mode]}
        beside={
          <Tabs
            label="For whom"
            value={mode}
            tabs={[
              { value: 'one', label: 'One customer', href: '/jobs?tab=create' },
              { value: 'many', label: 'Many customers', href: linkTo.newJobs() },
              { value: 'program', label: 'Program', href: linkTo.newProgram() },
            ]}
          />
        }
      />
      {failed ? (
        <ErrorState error={failed.error} onRetry={() => failed.refetch()} retrying={failed.isFetching} />
      ) : !services.data || !calendar.data ? (
        <CardSkeleton count={2} height={320} />
      ) : services.data.length === 0 ? (
        <Card>
          <EmptyState
            title="First say what you do"
            action={
              <Button kind="primary" href="/jobs?tab=services">
                Set up services
              </Button>
            }
          >
            Work is booked from your services: each has a price by size and a time. Eleven usual ones are ready to start
            with.
          </EmptyState>
        </Card>
      ) : mode === 'program' ? (
        <PutOnProgram calendar={calendar.data} />
      ) : mode === 'many' ? (
        <ManyCustomers services={services.data} calendar={calendar.data} />
      ) : (
        <OneCustomer services={services.data} calendar={calendar.data} />
      )}
    </>
  )
}

export const CreateJob = () => (
  <MayOnly need={jobsApi.create}>
    <JobForm />
  </MayOnly>
)
