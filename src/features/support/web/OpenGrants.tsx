import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { paths } from '../../../shared/paths.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { useOwner } from '../../owner/web/session.ts'
import type { OpenGrant } from '../contract.ts'
import { momentText } from '../rules.ts'
import { openGrantsQuery, useSupportCode } from './data.ts'
import './support.css'

const Row = ({ grant, onRefused }: { grant: OpenGrant; onRefused: (message: string | null) => void }) => {
  const make = useSupportCode()
  const href = make.data ? `${paths.supportAccess}#${make.data.code}` : null
  const open = () => {
    onRefused(null)
    make.mutate(grant.id, {
      // Without an opener, so that the new tab gets nothing of this one.
      onSuccess: ({ code }) => void window.open(`${paths.supportAccess}#${code}`, '_blank', 'noopener'),
      onError: (error) => onRefused(`${grant.businessName}: ${error.message}`),
    })
  }
  return (
    <li className="support-grant">
      <div className="support-grant__words">
        <h3>{grant.businessName}</h3>
        {grant.note ? <q>{grant.note}</q> : <span className="hint">No note</span>}
        <span className="hint">
          Let in by {grant.grantedBy}, until {momentText(grant.expiresAt, grant.timeZone, new Date().toISOString())} (
          {grant.timeZone.replaceAll('_', ' ')})
        </span>
      </div>
      <Button loading={make.isPending} onClick={open}>
        Open as support<span className="ui-hidden">: {grant.businessName}</span>
      </Button>
      {href ? (
        <p className="support-grant__news" role="status">
          It opens in a new tab. Did your browser hold it back?{' '}
          <LinkTo href={href} target="_blank" rel="noreferrer">
            Open it here
          </LinkTo>{' '}
          within a minute.
        </p>
      ) : null}
    </li>
  )
}

/** The product owner's way into a business: only those whose owner lets support in now. */
export const OpenGrants = () => {
  const { ask } = useOwner()
  const found = useQuery(openGrantsQuery(ask))
  // Above the list: a business whose owner ended the access leaves the list at that moment.
  const [refused, setRefused] = useState<string | null>(null)
  if (found.isError && !found.data)
    return (
      <ErrorState
        error={found.error}
        title="We could not load who lets support in"
        onRetry={() => void found.refetch()}
        retrying={found.isFetching}
      />
    )
  if (!found.data) return <PanelSkeleton />
  return (
    <section className="support-desk" aria-labelledby="support-desk">
      <h2 id="support-desk">Support access</h2>
      <p className="muted">
        Businesses whose owner lets you in right now. You can look and change nothing; the owner reads what you looked
        at.
      </p>
      {refused ? (
        <Banner tone="warn" title="Not opened" onClose={() => setRefused(null)}>
          {refused}
        </Banner>
      ) : null}
      {found.data.length === 0 ? (
        <EmptyState title="No business lets support in" picture="none">
          An owner lets you in under Profile, Support access, for some hours. Until then nothing of a business is shown
          here.
        </EmptyState>
      ) : (
        <ul>
          {found.data.map((grant) => (
            <Row key={grant.id} grant={grant} onRefused={setRefused} />
          ))}
        </ul>
      )}
    </section>
  )
}
