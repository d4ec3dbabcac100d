import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { dayOf, formatTime } from '../../../../shared/dates.ts'
import { linkTo, recordParam } from '../../../../shared/links.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { ComboboxField } from '../../../../ui/ComboboxField.tsx'
import { DateField } from '../../../../ui/DateField.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { FilterChips } from '../../../../ui/FilterChips.tsx'
import { IconMail, IconMessage } from '../../../../ui/icons.ts'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import { LoadMore } from '../../../../ui/LoadMore.tsx'
import { PageHeader } from '../../../../ui/PageHeader.tsx'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { useParams } from '../../../../ui/useParams.ts'
import { useToday, useUser } from '../../../accounts/web/session.ts'
import { type StatusTone, statusOf } from '../../rules.ts'
import { contactQuery, findPeople } from '../../web/data.ts'
import { addressLabel, channelLabel, whenLabel } from '../../web/labels.ts'
import type { LogRow } from '../contract.ts'
import { outcomes } from '../rules.ts'
import { messageLogQuery } from './data.ts'
import './log.css'

const tones: Record<StatusTone, 'done' | 'wait' | 'late' | 'neutral'> = {
  good: 'done',
  wait: 'wait',
  bad: 'late',
  plain: 'done',
}
const outcomeLabels = { left: 'Sent', waits: 'Waiting', stopped: 'Not sent', unknown: 'Not sure' } as const

const Row = ({ row }: { row: LogRow }) => {
  const { timeZone } = useUser().business
  const today = useToday()
  const { label, tone } = statusOf(row, timeZone)
  const Icon = row.channel === 'email' ? IconMail : IconMessage
  const day = dayOf(row.createdAt, timeZone)
  return (
    <li className="msg-log__row">
      <span className="msg-log__when num">
        {whenLabel(row.createdAt, today, day, timeZone)}
        {day === today ? null : <span className="hint">{formatTime(row.createdAt, timeZone)}</span>}
      </span>
      <span className="msg-log__what">
        <span className="msg-log__head">
          <Icon size={16} role="img" aria-label={channelLabel(row.channel)} />
          <b>
            {row.customer ? (
              <LinkTo href={linkTo.thread(row.customer.id)}>{row.customer.name}</LinkTo>
            ) : (
              addressLabel(row.address)
            )}
          </b>
          <span className="hint">
            {row.cause}
            {row.customer ? ` · ${addressLabel(row.address)}` : ''}
          </span>
          <Badge tone={tones[tone]}>{label}</Badge>
        </span>
        <span className="msg-log__text">{row.text}</span>
        <span className="msg-log__why">{row.why.join(' ')}</span>
      </span>
    </li>
  )
}

const Whose = ({ id, onChange }: { id: string | null; onChange: (id: string | null) => void }) => {
  const found = useQuery({ ...contactQuery(id ?? ''), enabled: id !== null })
  return (
    <ComboboxField
      label="Customer"
      placeholder="All customers"
      value={id === null ? null : { value: id, label: found.data?.name ?? '…' }}
      onChange={(choice) => onChange(choice?.value ?? null)}
      search={async (text, signal) =>
        (await findPeople(text, signal)).map(({ id: value, name, email, phone }) => ({
          value,
          label: name,
          hint: [phone ? addressLabel(phone) : 'no mobile', email ?? 'no e-mail'].join(' · '),
        }))
      }
      emptyText="Nobody found"
    />
  )
}

/** Every mail and text to customers with why it was sent or was not: the answer to "why did she not get it?". */
export const MessageLog = ({ onBack }: { onBack: () => void }) => {
  const { params, change } = useParams()
  const today = useToday()
  const channel = (['email', 'sms'] as const).find((one) => one === params.get('channel')) ?? null
  const outcome = outcomes.find((one) => one === params.get('outcome')) ?? null
  const customerId = params.get(recordParam.customer)
  const until = params.get('until')
  const list = useInfiniteQuery(messageLogQuery({ customerId, channel, outcome, until }))
  const rows = list.data?.pages.flatMap((page) => page.items)
  const isFiltered = Boolean(channel || outcome || customerId || until)
  return (
    <div className="msg-log">
      <PageHeader
        title="Message log"
        sub="What went to customers, what did not, and why."
        actions={<Button onClick={onBack}>Conversations</Button>}
      />
      <div className="msg-log__find">
        <Whose id={customerId} onChange={(id) => change({ customerId: id }, { replace: true })} />
        <DateField
          label="Up to"
          optional
          today={today}
          max={today}
          value={until ?? ''}
          onChange={(day) => change({ until: day || null }, { replace: true })}
        />
        <FilterChips
          label="Outcome"
          single
          chips={outcomes.map((value) => ({ value, label: outcomeLabels[value] }))}
          values={outcome ? [outcome] : []}
          onChange={([value]) => change({ outcome: value ?? null }, { replace: true })}
        />
        <FilterChips
          label="Way"
          single
          chips={[
            { value: 'sms', label: 'Texts' },
            { value: 'email', label: 'Mail' },
          ]}
          values={channel ? [channel] : []}
          onChange={([value]) => change({ channel: value ?? null }, { replace: true })}
        />
      </div>
      {list.isError && !rows ? (
        <ErrorState
          error={list.error}
          title="We could not load the log"
          onRetry={() => void list.refetch()}
          retrying={list.isFetching}
        />
      ) : !rows ? (
        <PanelSkeleton />
      ) : rows.length === 0 ? (
        <EmptyState
          picture={isFiltered ? 'search' : 'none'}
          title={isFiltered ? 'Nothing fits' : 'Nothing was sent yet'}
          action={
            isFiltered ? (
              <Button
                size="s"
                onClick={() =>
                  change({ channel: null, outcome: null, customerId: null, until: null }, { replace: true })
                }
              >
                Show all
              </Button>
            ) : undefined
          }
        >
          {isFiltered
            ? 'No message to a customer is like that.'
            : 'Invoices, reminders and texts stand here the moment they are written, with why they left or did not.'}
        </EmptyState>
      ) : (
        <>
          <ul className="msg-log__rows" aria-label="Messages" aria-busy={list.isPlaceholderData || undefined}>
            {rows.map((row) => (
              <Row key={row.id} row={row} />
            ))}
          </ul>
          <LoadMore
            hasMore={list.hasNextPage}
            loading={list.isFetchingNextPage}
            failed={list.isFetchNextPageError}
            onMore={() => void list.fetchNextPage()}
            shown={rows.length}
          />
        </>
      )}
    </div>
  )
}
