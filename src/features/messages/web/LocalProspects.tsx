import { useQuery } from '@tanstack/react-query'
import { paths } from '../../../shared/paths.ts'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { prospectOutboxQuery } from './data.ts'
import { LinkedText } from './LinkedText.tsx'
import './local.css'

/** Our own mail and texts to companies that asked about the product. Their readers have no account, so nobody has to sign in here. */
export const LocalProspects = () => {
  const found = useQuery(prospectOutboxQuery)
  const items = found.data?.items
  return (
    <main className="local" id="screen">
      <header className="local__head">
        <div>
          <span className="local__mark">Local</span>
          <h1>Mail to prospects</h1>
          <p>What the application, booked calls and the product owner send. Its links work.</p>
        </div>
        <nav aria-label="Simulators">
          <LinkTo href={paths.localOutbox}>Outbox</LinkTo>
          <LinkTo href={`${paths.localOutbox}?box=prospects`} aria-current="page">
            Mail to prospects
          </LinkTo>
          <LinkTo href={paths.localPhone}>Phone</LinkTo>
          <LinkTo href={paths.dashboard}>Dashboard</LinkTo>
        </nav>
      </header>
      {found.isError && !items ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
      ) : !items ? (
        <PanelSkeleton />
      ) : items.length === 0 ? (
        <EmptyState title="Nothing was sent yet">
          Apply on the public site or book a call: the mail appears here the moment it leaves.
        </EmptyState>
      ) : (
        <ul className="local-letters">
          {items.map((item) => (
            <li key={item.id}>
              <Card
                title={item.channel === 'email' ? item.subject || 'No subject' : 'Text'}
                hint={`to ${item.address}`}
                actions={<RelativeTime at={item.createdAt} />}
              >
                <p className="mail-view__text">
                  <LinkedText text={item.text} />
                </p>
                {item.files.map((file) => (
                  <a
                    key={file.name}
                    download={file.name}
                    href={`data:text/calendar;charset=utf-8,${encodeURIComponent(file.content)}`}
                  >
                    {file.name}
                  </a>
                ))}
              </Card>
            </li>
          ))}
        </ul>
      )}
    </main>
  )
}
