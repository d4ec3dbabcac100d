import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { dayOf, formatDay } from '../../../shared/dates.ts'
import { linkTo, recordParam } from '../../../shared/links.ts'
import { hubPath, paths } from '../../../shared/paths.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ComboboxField } from '../../../ui/ComboboxField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FilterChips } from '../../../ui/FilterChips.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconArrowLeft, IconDots, IconPlus } from '../../../ui/icons.ts'
import { LoadMore } from '../../../ui/LoadMore.tsx'
import { Menu } from '../../../ui/Menu.tsx'
import { MoreMenu } from '../../../ui/MoreMenu.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { RecordFailed } from '../../../ui/RecordFailed.tsx'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { useNarrow } from '../../../ui/useNarrow.ts'
import { useParams } from '../../../ui/useParams.ts'
import { useUser } from '../../accounts/web/session.ts'
import type { NavCounts } from '../../notifications/contract.ts'
import { type ConversationFilterState, conversationFilters } from '../conversations/rules.ts'
import { ConversationBar, ConversationState } from '../conversations/web/ConversationBar.tsx'
import { threadQuery } from '../conversations/web/data.ts'
import { NumberNote } from '../conversations/web/NumberNote.tsx'
import { FactsAside, FactsDialog } from '../facts/web/FactsPart.tsx'
import { useRoomy } from '../facts/web/useRoomy.ts'
import { keywordOf } from '../rules.ts'
import { Composer } from './Composer.tsx'
import { ConversationRow } from './ConversationRow.tsx'
import { contactQuery, conversationsQuery, findPeople, withOf } from './data.ts'
import '../../../ui/talks.css'
import { addressLabel } from './labels.ts'
import { Thread } from './Thread.tsx'
import { useHeld } from './useHeld.ts'

const ManageTemplates = lazy(() =>
  import('../templates/web/ManageTemplates.tsx').then((m) => ({ default: m.ManageTemplates })),
)
const MessageLog = lazy(() => import('../log/web/MessageLog.tsx').then(({ MessageLog }) => ({ default: MessageLog })))

const Known = ({ customerId, back, onLog }: { customerId: string; back: () => void; onLog: () => void }) => {
  const found = useQuery(contactQuery(customerId))
  const narrow = useNarrow()
  const roomy = useRoomy()
  const [looking, setLooking] = useState(false)
  const contact = found.data
  if (found.isError && !contact)
    return (
      <RecordFailed
        what="conversation"
        error={found.error}
        onClose={back}
        onRetry={found.refetch}
        retrying={found.isFetching}
      />
    )
  if (!contact) return <PanelSkeleton />
  const reach = [contact.phone ? addressLabel(contact.phone) : '', contact.email ?? ''].filter(Boolean).join(' · ')
  return (
    <>
      <header className="talk-head">
        <IconButton
          className="talk-head__back"
          label="All conversations"
          icon={<IconArrowLeft />}
          onClick={back}
          tooltip={false}
        />
        <div>
          <h2>{contact.name}</h2>
          {narrow ? <ConversationState who={contact.id} otherwise={reach} /> : <span className="hint">{reach}</span>}
        </div>
        {narrow ? (
          <>
            <ConversationBar who={contact.id} name={contact.name} slim />
            <MoreMenu
              label="More"
              items={[
                { label: 'Facts', onClick: () => setLooking(true) },
                { label: 'Open customer', href: linkTo.customer(contact.id) },
                { label: 'Why sent or not', onClick: onLog },
              ]}
            />
          </>
        ) : (
          <span className="talk-head__acts">
            <Button size="s" kind="quiet" onClick={onLog}>
              Why sent or not
            </Button>
            {roomy ? null : (
              <Button size="s" onClick={() => setLooking(true)}>
                Facts
              </Button>
            )}
            <Button size="s" href={linkTo.customer(contact.id)}>
              Open customer
            </Button>
          </span>
        )}
      </header>
      {looking && !roomy ? (
        <FactsDialog customerId={contact.id} name={contact.name} onClose={() => setLooking(false)} />
      ) : null}
      {narrow ? null : <ConversationBar who={contact.id} name={contact.name} />}
      <Thread who={contact.id} name={contact.name} />
      <Composer key={contact.id} contact={contact} preferred="sms" />
    </>
  )
}

const Unknown = ({
  address,
  back,
  onCustomer,
}: {
  address: string
  back: () => void
  onCustomer: (id: string) => void
}) => {
  const narrow = useNarrow()
  // the thread below asks for the same
  const thread = useInfiniteQuery(threadQuery(address)).data
  const newest = thread?.pages[0]?.items.find((item) => item.kind === 'message')
  // an older link leads to whose the number is by now
  const customerId = newest?.kind === 'message' ? (newest.message.customer?.id ?? null) : null
  useEffect(() => {
    if (customerId !== null) onCustomer(customerId)
  }, [customerId, onCustomer])
  const texts = thread?.pages.flatMap(({ items }) => items).filter((item) => item.kind === 'message') ?? []
  // who says nothing but STOP is no lead
  const onlyStop =
    texts.length > 0 &&
    texts.every(({ message }) => message.direction === 'inbound' && keywordOf(message.text, false) === 'stop')
  const name = addressLabel(address)
  // with an e-mail that nobody knows there is a thread, and no place in the list
  const listed = !address.includes('@')
  const stands = 'Not one of your customers'
  return (
    <>
      <header className="talk-head">
        <IconButton
          className="talk-head__back"
          label="All conversations"
          icon={<IconArrowLeft />}
          onClick={back}
          tooltip={false}
        />
        <div>
          <h2>{name}</h2>
          {narrow && listed ? (
            <ConversationState who={address} otherwise={stands} />
          ) : (
            <span className="hint">{stands}</span>
          )}
        </div>
        {narrow ? (
          <>
            {listed ? <ConversationBar who={address} name={name} slim /> : null}
            <MoreMenu
              label="More"
              items={[
                ...(onlyStop ? [] : [{ label: 'See the lead', href: linkTo.leads({ search: address }) }]),
                { label: 'Add as customer', href: linkTo.newCustomer({ phone: address }) },
              ]}
            />
          </>
        ) : (
          <>
            {onlyStop ? null : (
              <Button size="s" href={linkTo.leads({ search: address })}>
                See the lead
              </Button>
            )}
            <Button size="s" icon={<IconPlus />} href={linkTo.newCustomer({ phone: address })}>
              Add as customer
            </Button>
          </>
        )}
      </header>
      {narrow || !listed ? null : <ConversationBar who={address} name={name} />}
      <Thread who={address} name={name} />
      <div className="composer">
        <Banner>
          {onlyStop
            ? 'They want no texts: they replied STOP, and get none from you. Nothing is to be done.'
            : 'Answer from the lead that this number became, or add it to a customer to answer from here.'}
        </Banner>
        {listed ? <NumberNote address={address} /> : null}
      </div>
    </>
  )
}

const NewMessage = ({
  open,
  onClose,
  onPick,
}: {
  open: boolean
  onClose: () => void
  onPick: (id: string) => void
}) => (
  <Dialog open={open} onClose={onClose} title="Write to a customer">
    <ComboboxField
      label="Customer"
      autoFocus
      placeholder="Name, street, phone or e-mail"
      value={null}
      onChange={(choice) => choice && onPick(choice.value)}
      search={async (text, signal) =>
        (await findPeople(text, signal)).map((person) => ({
          value: person.id,
          label: person.name,
          hint: [person.phone ? addressLabel(person.phone) : 'no mobile', person.email ?? 'no e-mail'].join(' · '),
        }))
      }
      emptyText="Nobody found"
    />
  </Dialog>
)

/** Customer messages: conversations, or the log of what was sent and why. */
export const CustomerMessagesTab = () => {
  const { params, change } = useParams()
  return params.get('view') === 'log' ? (
    <Suspense fallback={<PanelSkeleton />}>
      <MessageLog onBack={() => change({ view: null, outcome: null, channel: null, until: null, customerId: null })} />
    </Suspense>
  ) : (
    <Conversations />
  )
}

const noFilter = { search: null, unread: null, state: null, whose: null }
const whoseFilters = ['mine', 'nobody'] as const

/** What the list shows where the address says nothing. */
const usual: Shown = 'waiting'
type Shown = Exclude<ConversationFilterState, 'all'>
const shownStates = conversationFilters.filter((one) => one !== 'all')

const emptyWords: Record<Shown, { title: string; words: string }> = {
  waiting: {
    title: 'Nobody waits for us',
    words: 'Who writes stands here until a person answers, or it is done or snoozed. Everything else is under Open.',
  },
  open: { title: 'Nothing is open', words: 'No open conversation fits.' },
  snoozed: { title: 'Nothing is snoozed', words: 'What you snooze rests here until its time, or until they write.' },
  done: { title: 'Nothing is done yet', words: 'What you mark as done stands here, and opens again when they write.' },
}

/** The sidebar and the heading say the same number at the same moment: what the list learned last. */
const useSidebar = (waitingCount: number | undefined) => {
  const client = useQueryClient()
  useEffect(() => {
    if (waitingCount === undefined) return
    client.setQueryData<NavCounts>(['nav-counts'], (now) =>
      now && now.customerMessages !== waitingCount ? { ...now, customerMessages: waitingCount } : now,
    )
  }, [client, waitingCount])
}

const headline = (facts: { waitingCount: number; unreadCount: number }): string =>
  [
    facts.waitingCount === 0
      ? 'Nobody waits for us'
      : `${facts.waitingCount === 1 ? '1 conversation waits' : `${facts.waitingCount} conversations wait`} for us`,
    facts.unreadCount === 0
      ? 'everything is read'
      : `${facts.unreadCount === 1 ? '1 message is' : `${facts.unreadCount} messages are`} not read yet`,
  ].join(' · ')

/** All conversations with customers, one beside the other; what came in and nobody read stands out. */
const Conversations = () => {
  const { params, change } = useParams()
  const { timeZone } = useUser().business
  const [writing, setWriting] = useState(false)
  const [managing, setManaging] = useState(false)
  const search = (params.get('search') ?? '').slice(0, 100)
  const unread = params.get('unread') === '1'
  const who = params.get(recordParam.thread) ?? params.get(recordParam.customer)
  const hrefOf = (key: string) => {
    const next = new URLSearchParams(params)
    next.set('tab', 'messages')
    next.delete(recordParam.customer)
    next.set(recordParam.thread, key)
    return `/customers?${next}`
  }
  const state = shownStates.find((one) => one === params.get('state')) ?? usual
  const narrow = useNarrow()
  const roomy = useRoomy()
  const whose = whoseFilters.find((one) => one === params.get('whose')) ?? 'all'
  // who looks for somebody finds them, also where they rest or are done
  // and what nobody has read is to be read, whatever was done before
  const everywhere = search !== '' || unread
  const list = useInfiniteQuery(conversationsQuery({ search, unread, state: everywhere ? 'all' : state, whose }))
  const loaded = list.data?.pages.flatMap((page) => page.items)
  const facts = list.data?.pages[0]
  const rows =
    useHeld(list.isPlaceholderData ? undefined : loaded, who, JSON.stringify([search, unread, state, whose])) ?? loaded
  useSidebar(facts?.waitingCount)
  const unreadCount = facts?.unreadCount ?? 0
  const back = () => change({ with: null, customerId: null })
  const toCustomer = (id: string) => change({ with: id, customerId: null }, { replace: true })
  const of = who ? withOf(who) : null
  const plain = !search && !unread && state === usual && whose === 'all'
  const nothing = rows?.length === 0 && facts?.hasAny === false
  const empty = nothing
    ? {
        title: 'No conversation yet',
        words: 'Invoices, reminders and texts stand here once the first one leaves; answers come in beside them.',
      }
    : search
      ? { title: 'Nothing found', words: 'No name, number, message or internal note fits.' }
      : unread
        ? unreadCount === 0
          ? { title: 'Everything is read', words: 'What comes in stands here until somebody looks at it.' }
          : { title: 'None of these is unread', words: 'No conversation fits.' }
        : whose !== 'all'
          ? { title: emptyWords[state].title, words: 'No conversation fits.' }
          : state === 'open'
            ? {
                title: (facts?.snoozedCount ?? 0) > 0 ? 'Everything is done or snoozed' : 'Everything is done',
                words: 'A conversation is open again when the customer writes.',
              }
            : emptyWords[state]
  // a number stands at a chip only where a press on it lists so many
  const countIf = (holds: boolean, count: number | undefined) => (holds && count !== undefined ? { count } : {})
  const mineRests = !everywhere && state !== 'snoozed' ? (facts?.mineSnoozedCount ?? 0) : 0
  const toLog = () => change({ ...noFilter, view: 'log', with: null, customerId: null })
  const actions = narrow ? (
    <Menu
      items={[
        { label: 'New message', icon: <IconPlus />, onClick: () => setWriting(true) },
        { label: 'Message several', href: paths.sendNotifications },
        { label: 'Campaigns', href: linkTo.campaigns() },
        { label: 'Automations', href: hubPath('customers', 'automations') },
        { label: 'Templates', onClick: () => setManaging(true) },
        { label: 'Log', onClick: toLog },
      ]}
    >
      <IconButton label="Write and manage" kind="secondary" icon={<IconDots />} tooltip={false} />
    </Menu>
  ) : (
    <>
      <Button onClick={toLog}>Log</Button>
      <Button onClick={() => setManaging(true)}>Templates</Button>
      <Button href={paths.sendNotifications}>Message several</Button>
      <Button href={linkTo.campaigns()}>Campaigns</Button>
      <Button kind="primary" icon={<IconPlus />} onClick={() => setWriting(true)}>
        New message
      </Button>
    </>
  )
  return (
    <div className={`talks talks--customers${who ? ' has-open' : ''}`}>
      <PageHeader title="Customer messages" sub={facts ? headline(facts) : ' '} actions={actions} />
      <div className="talks__panes">
        <section className="talks__list" aria-label="Conversations">
          <div className="talks__find">
            <SearchInput
              slash
              label="Find a conversation"
              placeholder="Name, number, words or notes"
              value={search}
              onChange={(text) => change({ search: text }, { replace: true })}
            />
            {everywhere ? (
              <p className="hint">
                Found among all conversations, also snoozed and done ones.
                {search && facts?.lookedBackTo
                  ? ` Words are looked for in the newest 20,000 messages and internal notes, back to ${formatDay(dayOf(facts.lookedBackTo, timeZone), { year: true })}.`
                  : ''}
              </p>
            ) : (
              <FilterChips
                label="State"
                single
                chips={[
                  { value: 'waiting', label: 'Waiting for us', ...countIf(whose === 'all', facts?.waitingCount) },
                  { value: 'open', label: 'Open' },
                  { value: 'snoozed', label: 'Snoozed', ...countIf(whose === 'all', facts?.snoozedCount) },
                  { value: 'done', label: 'Done' },
                ]}
                values={[state]}
                onChange={([value]) => change({ state: value && value !== usual ? value : null }, { replace: true })}
              />
            )}
            <FilterChips
              label="Show"
              chips={[
                {
                  value: 'unread',
                  label: 'Unread',
                  ...countIf(!search && whose === 'all', facts?.unreadConversationCount),
                },
                {
                  value: 'mine',
                  label: 'Mine',
                  ...countIf(
                    !everywhere && state !== 'done',
                    state === 'waiting'
                      ? facts?.mineWaitingCount
                      : state === 'snoozed'
                        ? facts?.mineSnoozedCount
                        : facts?.mineCount,
                  ),
                  ...(mineRests > 0 ? { aside: `+ ${mineRests} snoozed` } : {}),
                },
                { value: 'nobody', label: 'Unassigned' },
              ]}
              values={[...(unread ? ['unread' as const] : []), ...(whose === 'all' ? [] : [whose])]}
              onChange={(values) =>
                change(
                  {
                    unread: values.includes('unread') ? '1' : null,
                    // the last one pressed: nobody's is not mine
                    whose:
                      whoseFilters.find((one) => values.includes(one) && one !== whose) ??
                      values.find((one) => one === whose) ??
                      null,
                  },
                  { replace: true },
                )
              }
            />
          </div>
          {list.isError && !rows ? (
            <ErrorState compact error={list.error} onRetry={() => void list.refetch()} retrying={list.isFetching} />
          ) : !rows ? (
            <PanelSkeleton />
          ) : rows.length === 0 ? (
            <EmptyState
              compact
              title={empty.title}
              action={
                nothing || plain ? undefined : (
                  <Button size="s" onClick={() => change({ search: null, unread: null, state: null, whose: null })}>
                    Show all
                  </Button>
                )
              }
            >
              {empty.words}
            </EmptyState>
          ) : (
            <>
              <ul>
                {rows.map((row) => (
                  <ConversationRow key={row.key} row={row} on={row.key === who} href={hrefOf(row.key)} />
                ))}
              </ul>
              <LoadMore
                hasMore={list.hasNextPage}
                loading={list.isFetchingNextPage}
                onMore={() => void list.fetchNextPage()}
                shown={rows.length}
              />
            </>
          )}
        </section>
        <section className="talks__open" aria-label="Conversation">
          {of === null ? (
            <EmptyState picture="none" title="Choose a conversation">
              Texts and mail with a customer stand together, oldest first.
            </EmptyState>
          ) : 'customerId' in of ? (
            <Known
              key={of.customerId}
              customerId={of.customerId}
              back={back}
              onLog={() => change({ ...noFilter, view: 'log', with: null, customerId: of.customerId })}
            />
          ) : (
            <Unknown key={of.address} address={of.address} back={back} onCustomer={toCustomer} />
          )}
        </section>
        {roomy && of && 'customerId' in of ? <FactsAside key={of.customerId} customerId={of.customerId} /> : null}
      </div>
      {managing ? (
        <Suspense fallback={null}>
          <ManageTemplates onClose={() => setManaging(false)} />
        </Suspense>
      ) : null}
      <NewMessage
        open={writing}
        onClose={() => setWriting(false)}
        onPick={(id) => {
          setWriting(false)
          change({ with: id, customerId: null })
        }}
      />
    </div>
  )
}
