import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import { paths } from '../../../shared/paths.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { TableSkeleton } from '../../../ui/Skeleton.tsx'
import { type Integration, integrationsApi } from '../contract.ts'
import './integrations.css'

const integrationsQuery = queryOptions({
  queryKey: ['business', 'integrations'],
  queryFn: ({ signal }) => call(integrationsApi.list, {}, { signal }),
})

const modes = {
  connected: { tone: 'done', label: 'Connected' },
  local: { tone: 'now', label: 'Local stand-in' },
  off: { tone: 'neutral', label: 'Off' },
} as const

const openWords: Partial<Record<Integration['id'], string>> = {
  mail: 'Open the outbox',
  sms: 'Open the phone',
  travel: 'Open the route map',
  books: 'What it will do',
}

/** How each outside service is reached right now, and what the real thing would need. */
export const IntegrationsScreen = () => {
  const { data, error, refetch, isFetching } = useQuery(integrationsQuery)
  return (
    <>
      <PageHeader
        title="Integrations"
        sub="What works through a provider, what through a stand-in of ours, and what each would need to be real."
        back={{ href: paths.profile, label: 'Profile' }}
      />
      {error && !data ? (
        <ErrorState
          error={error}
          title="We could not load the integrations"
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      ) : null}
      {data || !error ? (
        <Card flush>
          {data ? (
            <ul className="integrations">
              {data.items.map((item) => (
                <li key={item.id}>
                  <span className="integrations__name">
                    <b>{item.name}</b>
                    <Badge tone={modes[item.mode].tone}>{modes[item.mode].label}</Badge>
                  </span>
                  <span className="integrations__words">
                    {item.now}
                    {item.missing ? <span className="hint">{item.missing}</span> : null}
                  </span>
                  <span>
                    {item.path ? (
                      <Button size="s" href={item.path} newTab={item.path.startsWith('/local/')}>
                        {openWords[item.id] ?? 'Open'}
                      </Button>
                    ) : null}
                  </span>
                </li>
              ))}
            </ul>
          ) : (
            <TableSkeleton />
          )}
        </Card>
      ) : null}
    </>
  )
}
