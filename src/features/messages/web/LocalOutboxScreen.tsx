import { useInfiniteQuery } from '@tanstack/react-query'
import { Navigate } from 'react-router'
import { dayOf, formatDay } from '../../../shared/dates.ts'
import { paths } from '../../../shared/paths.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FilterChips } from '../../../ui/FilterChips.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconArrowLeft, IconMail, IconMessage, IconPencil, IconSend } from '../../../ui/icons.ts'
import { LoadMore } from '../../../ui/LoadMore.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { useParams } from '../../../ui/useParams.ts'
import { useMaybeUser } from '../../accounts/web/session.ts'
import type { Message } from '../contract.ts'
import { type StatusTone, statusOf } from '../rules.ts'
import { outboxQuery } from './data.ts'
import { LocalFrame } from './LocalFrame.tsx'
import { LocalMailForm } from './LocalMailForm.tsx'
import { addressLabel } from './labels.ts'
import { MailView } from './MailView.tsx'

const tones: Record<StatusTone, 'done' | 'wait' | 'late' | 'neutral'> = {
  good: 'done',
  wait: 'wait',
  bad: 'late',
  plain: 'neutral',
}

const State = ({ message }: { message: Message }) => {
  const zone = useMaybeUser()?.business.timeZone ?? 'UTC'
  const { label, tone } = statusOf(message, zone)
  return <Badge tone={message.status === 'sent' ? 'done' : tones[tone]}>{label}</Badge>
}

const Item = ({ message, on, onOpen }: { message: Message; on: boolean; onOpen: () => void }) => {
  const Icon = message.channel === 'email' ? IconMail : IconMessage
  return (
    <li>
      <button type="button" className="local-item" aria-current={on ? 'true' : undefined} onClick={onOpen}>
        <Icon size={18} role="img" aria-label={message.channel === 'email' ? 'Mail' : 'Text'} />
        <span className="local-item__words">
          <b>{message.channel === 'email' ? message.subject || 'No subject' : message.text}</b>
          <span className="hint">
            {message.direction === 'inbound' ? 'from' : 'to'} {message.customer?.name ?? addressLabel(message.address)}
          </span>
        </span>
        <span className="local-item__side">
          <State message={message} />
          <span className="hint">
            <RelativeTime at={message.createdAt} />
          </span>
        </span>
      </button>
    </li>
  )
}

const Outbox = () => {
  const { params, change } = useParams()
  const channel = (['email', 'sms'] as const).find((one) => one === params.get('channel')) ?? ''
  const search = (params.get('search') ?? '').slice(0, 100)
  const openId = params.get('message')
  /** 'new', or the mail that is answered. */
  const writing = params.get('write')
  const write = (what: string | null) => change({ write: what }, { replace: what === null })
  const zone = useMaybeUser()?.business.timeZone ?? 'UTC'
  const list = useInfiniteQuery(outboxQuery({ channel, search }))
  const rows = list.data?.pages.flatMap((page) => page.items)
  const total = list.data?.pages[0]?.total
  const far = list.data?.pages.at(-1)?.lookedBackTo
  const open = openId ? rows?.find((row) => row.id === openId) : undefined
  if (list.isError && !rows)
    return <ErrorState error={list.error} onRetry={() => void list.refetch()} retrying={list.isFetching} />
  if (!rows) return <PanelSkeleton />
  return (
    <div className={`local-panes${openId || writing ? ' has-open' : ''}`}>
      <section className="local-list" aria-label="Messages">
        <div className="local-find">
          <SearchInput
            slash
            label="Find a message"
            placeholder="Name, address or words"
            value={search}
            onChange={(text) => change({ search: text }, { replace: true })}
          />
          <FilterChips
            label="Kind"
            single
            chips={[
              { value: 'email', label: 'Mail' },
              { value: 'sms', label: 'Texts' },
            ]}
            values={channel ? [channel] : []}
            onChange={(values) => change({ channel: values[0] ?? null }, { replace: true })}
          />
          <Button size="s" icon={<IconPencil />} onClick={() => change({ write: 'new', message: null })}>
            Write a mail to the business
          </Button>
        </div>
        {rows.length === 0 && !far ? (
          <EmptyState compact title={search || channel ? 'Nothing found' : 'Nothing was sent yet'}>
            {search || channel
              ? 'No message fits.'
              : 'Invoices, receipts, reminders and texts appear here the moment they leave.'}
          </EmptyState>
        ) : (
          <>
            <ul>
              {rows.map((message) => (
                <Item
                  key={message.id}
                  message={message}
                  on={message.id === openId}
                  onOpen={() => change({ message: message.id, write: null })}
                />
              ))}
            </ul>
            <LoadMore
              hasMore={list.hasNextPage}
              loading={list.isFetchingNextPage}
              onMore={() => void list.fetchNextPage()}
              shown={rows.length}
              lookedBackTo={far ? formatDay(dayOf(far, zone), { year: true }) : undefined}
              {...(typeof total === 'number' ? { total } : {})}
            />
          </>
        )}
      </section>
      <section className="local-open" aria-label="The message">
        {writing ? (
          <LocalMailForm key={writing} answers={writing === 'new' ? null : writing} onClose={() => write(null)} />
        ) : openId ? (
          <>
            <header>
              <IconButton
                className="local-open__back"
                label="All messages"
                icon={<IconArrowLeft />}
                onClick={() => change({ message: null }, { replace: true })}
                tooltip={false}
              />
              <div>
                <h2>{open ? (open.channel === 'email' ? open.subject || 'No subject' : 'Text') : 'Message'}</h2>
                {open ? (
                  <p className="hint">
                    {open.direction === 'inbound' ? 'From' : 'To'} {open.customer ? `${open.customer.name}, ` : ''}
                    {addressLabel(open.address)}
                  </p>
                ) : null}
                {open?.reason ? <p className="local-open__reason">{open.reason}</p> : null}
              </div>
              {open ? <State message={open} /> : null}
              {open?.channel === 'email' && open.direction === 'outbound' ? (
                <Button size="s" icon={<IconSend />} onClick={() => write(open.id)}>
                  Reply
                </Button>
              ) : null}
            </header>
            <MailView key={openId} id={openId} />
          </>
        ) : (
          <EmptyState picture="none" title="Choose a message">
            You can open its links, for example the invoice that a customer got and pay it, and reply to mail as its
            reader.
          </EmptyState>
        )}
      </section>
    </div>
  )
}

/** Every mail and text of the business as it left, for trying the whole product without a mail server. */
export const LocalOutboxScreen = () => {
  const { params } = useParams()
  if (params.get('box') === 'prospects') return <Navigate replace to={paths.localProspects} />
  return (
    <LocalFrame
      title="Local outbox"
      lead={({ mailLeaves }) =>
        mailLeaves
          ? 'Mail leaves through your mail server and is shown here too; texts stay on this computer.'
          : 'Nothing here has left this computer.'
      }
    >
      <Outbox />
    </LocalFrame>
  )
}
