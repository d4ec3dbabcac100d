import { useInfiniteQuery } from '@tanstack/react-query'
import { counted } from '../../../shared/counted.ts'
import { dayOf, formatDay } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { hubPath } from '../../../shared/paths.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { IconPlus } from '../../../ui/icons.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { LoadMore } from '../../../ui/LoadMore.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { useParams } from '../../../ui/useParams.ts'
import { useUser } from '../../accounts/web/session.ts'
import { type CampaignItem, campaignsApi } from '../contract.ts'
import { progressLabel } from '../rules.ts'
import { campaignsQuery } from './data.ts'
import { instantWords } from './instantWords.ts'
import { NewCampaign } from './NewCampaign.tsx'
import { StatusBadge } from './StatusBadge.tsx'

/** Where it stands, in a line. */
const lineOf = (one: CampaignItem, timeZone: string): string => {
  switch (one.status) {
    case 'draft':
      // what left of it began; this one was only made
      return `Made ${formatDay(dayOf(one.createdAt, timeZone))}${one.byName ? ` by ${one.byName}` : ''}`
    case 'scheduled':
      return one.startsAt ? `Begins ${instantWords(one.startsAt, timeZone)}` : ''
    case 'running':
      return progressLabel(one)
    case 'paused':
      return one.pauseReason ?? `Paused after ${counted(one.queued, 'message')}`
    default:
      // the same moment that its page begins with
      return `${one.startedAt ? `Begun ${instantWords(one.startedAt, timeZone)}, ` : ''}${counted(one.queued, 'message')}${one.heldOut > 0 ? `, ${one.heldOut} held out` : ''}`
  }
}

/** All campaigns, the newest first, and the way to a new one. */
export const CampaignList = ({ onOpen }: { onOpen: (id: string) => void }) => {
  const { timeZone } = useUser().business
  const list = useInfiniteQuery(campaignsQuery)
  const { params, change } = useParams()
  const items = list.data?.pages.flatMap((page) => page.items)
  const make = (
    <Button kind="primary" icon={<IconPlus />} calls={campaignsApi.create} onClick={() => change({ new: '1' })}>
      New campaign
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Campaigns"
        sub="Offers to customers who agreed to them, by e-mail or text, with what they brought"
        actions={
          <>
            <Button href={hubPath('customers', 'automations')}>Automations</Button>
            {make}
          </>
        }
      />
      {list.isError && !items ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} retrying={list.isFetching} />
      ) : !items ? (
        <PanelSkeleton />
      ) : items.length === 0 ? (
        <EmptyState title="No campaign yet" action={make}>
          Choose who gets it, write it or take one that is ready, and see what it brought within 30 days.
        </EmptyState>
      ) : (
        <Card flush>
          <ul className="cp-list" aria-label="Campaigns">
            {items.map((one) => (
              <li key={one.id} className="cp-list__row">
                <LinkTo href={linkTo.campaign(one.id)}>{one.name}</LinkTo>
                <StatusBadge status={one.status} />
                <span className="muted">
                  {one.channel === 'email' ? 'E-mail' : 'Text'} · {lineOf(one, timeZone)}
                </span>
              </li>
            ))}
          </ul>
          <LoadMore
            hasMore={list.hasNextPage}
            loading={list.isFetchingNextPage}
            failed={list.isFetchNextPageError}
            onMore={() => void list.fetchNextPage()}
            shown={items.length}
          />
        </Card>
      )}
      {params.get('new') === '1' ? (
        <NewCampaign onClose={() => change({ new: null }, { replace: true })} onMade={onOpen} />
      ) : null}
    </>
  )
}
