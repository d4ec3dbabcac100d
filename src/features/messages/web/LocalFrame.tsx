import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../../../shared/client.ts'
import { paths } from '../../../shared/paths.ts'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { useSessionState } from '../../accounts/web/session.ts'
import { localStateQuery } from './data.ts'
import './local.css'

type Props = { title: string; lead: (state: { mailLeaves: boolean }) => string; children: ReactNode }

const Refused = ({ status }: { status: number }) =>
  status === 404 ? (
    <EmptyState picture="none" title="Not here">
      This server sends real mail and texts. The simulators only exist on a computer of your own.
    </EmptyState>
  ) : status === 403 ? (
    <EmptyState picture="none" title="Only for the office" action={<Button href={paths.signin}>Sign in</Button>}>
      Sign in as the owner or an admin of the business.
    </EmptyState>
  ) : (
    <EmptyState
      picture="none"
      title="Sign in first"
      action={
        <Button kind="primary" href={paths.signin}>
          Sign in
        </Button>
      }
    >
      These messages belong to a business: sign in as its owner or an admin, then come back to this page.
    </EmptyState>
  )

/** What the simulators have in common: whose they are, that they are none of the real thing, and the way between them. */
export const LocalFrame = ({ title, lead, children }: Props) => {
  const session = useSessionState()
  const found = useQuery({
    ...localStateQuery,
    enabled: session.phase !== 'starting',
    retry: false,
  })
  const status = found.error instanceof ApiError ? found.error.status : 0
  return (
    <main className="local" id="screen">
      <header className="local__head">
        <div>
          <span className="local__mark">Local</span>
          <h1>{title}</h1>
          <p>{found.data ? lead(found.data) : ' '}</p>
        </div>
        <nav aria-label="Simulators">
          <LinkTo href={paths.localOutbox} aria-current={title.includes('outbox') ? 'page' : undefined}>
            Outbox
          </LinkTo>
          <LinkTo href={paths.localProspects}>Mail to prospects</LinkTo>
          <LinkTo href={paths.localPhone} aria-current={title.includes('phone') ? 'page' : undefined}>
            Phone
          </LinkTo>
          {/* a page of the server's own, outside of this app */}
          <a href="/local/dns">Name server</a>
          <LinkTo href={paths.dashboard}>Dashboard</LinkTo>
        </nav>
      </header>
      {found.data ? (
        children
      ) : found.isError ? (
        [401, 403, 404].includes(status) ? (
          <Refused status={status} />
        ) : (
          <ErrorState error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
        )
      ) : (
        <PanelSkeleton />
      )}
    </main>
  )
}
