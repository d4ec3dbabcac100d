import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dayOf, formatDay, formatTime } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FilterChips } from '../../../ui/FilterChips.tsx'
import { IconDownload } from '../../../ui/icons.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { LoadMore } from '../../../ui/LoadMore.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay, useUser } from '../../accounts/web/session.ts'
import { troubleWords } from '../../messages/rules.ts'
import { type CampaignPerson, campaignResultsApi } from '../results/contract.ts'
import { type RecipientState, recipientLabels, recipientStates } from '../rules.ts'
import { downloadPeople, peopleQuery } from './data.ts'

const tones = { waiting: 'wait', sent: 'done', notSent: 'neutral', heldOut: 'flag', failed: 'late' } as const

/** What is known of one of them, in a line. */
const lineOf = (one: CampaignPerson, timeZone: string): string => {
  const at = (instant: string): string => `${formatDay(dayOf(instant, timeZone))}, ${formatTime(instant, timeZone)}`
  if (one.state === 'notSent' || one.state === 'failed')
    return one.reason ? troubleWords(one.reason, one.address ?? '') : ''
  return [
    one.sentAt ? at(one.sentAt) : '',
    one.variant ? `Subject ${one.variant.toUpperCase()}` : '',
    one.clickedAt ? 'clicked' : one.openedAt ? 'opened' : '',
    one.unsubscribedAt ? 'unsubscribed' : '',
  ]
    .filter(Boolean)
    .join(' · ')
}

/** The frozen audience: everybody with where they stand and why; each leads to the customer. */
export const CampaignPeople = ({ id }: { id: string }) => {
  const may = useMay()
  const { timeZone } = useUser().business
  const [show, setShow] = useState<RecipientState | null>(null)
  const list = useInfiniteQuery(peopleQuery(id, show))
  const items = list.data?.pages.flatMap((page) => page.items)
  return (
    <Card
      title="Audience"
      actions={
        may(campaignResultsApi.exportCsv) ? (
          <Button size="s" icon={<IconDownload />} onClick={() => void downloadPeople(id, show).catch(toast.error)}>
            CSV
          </Button>
        ) : null
      }
    >
      <FilterChips
        single
        label="Show"
        chips={recipientStates.map((value) => ({ value, label: recipientLabels[value] }))}
        values={show ? [show] : []}
        onChange={([value]) => setShow(value ?? null)}
      />
      {list.isError && !items ? (
        <ErrorState compact error={list.error} onRetry={() => void list.refetch()} retrying={list.isFetching} />
      ) : !items ? (
        <Skeleton height={160} />
      ) : items.length === 0 ? (
        <EmptyState compact picture="none" title="Nobody stands here" />
      ) : (
        <>
          <ul className="cp-people" aria-label="Audience">
            {items.map((one) => (
              <li key={one.id}>
                <LinkTo href={linkTo.customer(one.id)}>{one.name}</LinkTo>
                <Badge tone={tones[one.state]}>{recipientLabels[one.state]}</Badge>
                <span className="muted">{lineOf(one, timeZone)}</span>
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
        </>
      )}
    </Card>
  )
}
