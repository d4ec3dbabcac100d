import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { formatDay } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconDots, IconDownload, IconExternalLink, IconPlugConnected, IconSend } from '../../../ui/icons.ts'
import { lazyPart } from '../../../ui/lazyAhead.tsx'
import { Menu } from '../../../ui/Menu.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { TableSkeleton } from '../../../ui/Skeleton.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useParams } from '../../../ui/useParams.ts'
import { useMay, useUser } from '../../accounts/web/session.ts'
import { type Books, quickbooksApi } from '../contract.ts'
import { booksQuery, finishBooks, goToBooks, type QueueStatus, useBooks } from './data.ts'
import { QueueList } from './QueueList.tsx'
import './quickbooks.css'

const SetupForm = lazyPart(() => import('./SetupForm.tsx').then((m) => m.SetupForm))
const Months = lazyPart(() => import('./Months.tsx').then((m) => m.Months))
const Matches = lazyPart(() => import('./Matches.tsx').then((m) => m.Matches))

const views: readonly { value: QueueStatus; label: string }[] = [
  { value: 'failed', label: 'Needs you' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'skipped', label: 'Not sent' },
]

const months = { value: 'months', label: 'Months' } as const

/** Takes what the browser brought back from the provider, once, and cleans the address. */
const useComeBack = (): { problem: unknown; busy: boolean } => {
  const { params, change } = useParams()
  const { store } = useBooks()
  const [problem, setProblem] = useState<unknown>(null)
  const [busy, setBusy] = useState(params.has('state'))
  const taken = useRef(false)
  useEffect(() => {
    const state = params.get('state')
    if (!state || taken.current) return
    taken.current = true
    const of = (name: string) => params.get(name) ?? ''
    finishBooks({ state, code: of('code'), realmId: of('realmId'), error: of('error') })
      .then(
        (books) => {
          store(books)
          toast.success(`${books.companyName || 'QuickBooks'} is connected`)
        },
        (error: unknown) => setProblem(error),
      )
      .finally(() => {
        setBusy(false)
        change({ state: null, code: null, realmId: null, error: null, error_description: null }, { replace: true })
      })
  })
  return { problem, busy }
}

const Connect = ({ books, label }: { books: Books; label: string }) => {
  const user = useUser()
  const [leaving, setLeaving] = useState(false)
  if (!books.can.connect)
    return user.role === 'Owner' ? null : <p className="hint">The owner of the business connects QuickBooks.</p>
  return (
    <Button
      kind="primary"
      icon={<IconPlugConnected />}
      calls={quickbooksApi.connect}
      loading={leaving}
      onClick={() => {
        setLeaving(true)
        goToBooks().catch((error: unknown) => {
          setLeaving(false)
          toast.error(error)
        })
      }}
    >
      {label}
    </Button>
  )
}

const Unconnected = ({ books }: { books: Books }) => (
  <Card>
    <EmptyState
      title={books.state === 'unavailable' ? 'QuickBooks is not available here' : 'Your books, written by themselves'}
      action={
        <>
          <Connect books={books} label="Connect QuickBooks" />
          <Button href={linkTo.invoices({ view: undefined })} icon={<IconDownload />}>
            Files for the accountant
          </Button>
        </>
      }
    >
      {books.state === 'unavailable'
        ? `${books.reason ?? ''} Files for QuickBooks Desktop, QuickBooks Online and others are under Invoices.`
        : 'Customers, invoices, payments, payouts, credits, refunds and expenses go to QuickBooks Online, each exactly once. Payments taken there come back. What does not go through is named, with a button that fixes it.'}
    </EmptyState>
  </Card>
)

const Actions = ({
  books,
  onSettings,
  onMatch,
  onDisconnect,
}: {
  books: Books
  onSettings: () => void
  onMatch: () => void
  onDisconnect: () => void
}) => {
  const { send } = useBooks()
  return (
    <>
      <Menu
        items={[
          books.can.setUp && books.setup ? { label: 'Accounts and tax', onClick: onSettings } : null,
          books.can.setUp ? { label: 'Match customers', onClick: onMatch } : null,
          books.lookUrl
            ? {
                label: 'Open the test books',
                icon: <IconExternalLink size={18} />,
                onClick: () => window.open(books.lookUrl ?? '', '_blank', 'noreferrer'),
              }
            : null,
          books.can.disconnect ? 'line' : null,
          books.can.disconnect ? { label: 'Disconnect', danger: true, onClick: onDisconnect } : null,
        ]}
      >
        <IconButton label="More for QuickBooks" kind="secondary" icon={<IconDots />} tooltip={false} />
      </Menu>
      {books.can.send && books.waiting > books.held ? (
        <Button
          kind="primary"
          icon={<IconSend />}
          calls={quickbooksApi.send}
          loading={send.isPending}
          onClick={() =>
            send.mutate(undefined, {
              onSuccess: () => toast.success('What waits is on its way'),
              onError: (error) => toast.error(error),
            })
          }
        >
          Send {books.waiting - books.held} now
        </Button>
      ) : null}
    </>
  )
}

/** Who is there already comes first: once sending begins, who was not matched is made anew. */
const FirstSteps = ({ books, onMatch }: { books: Books; onMatch: () => void }) =>
  books.can.setUp ? (
    <>
      <Card title="1. Who is in QuickBooks already">
        <p className="muted">
          Nothing was sent yet. Link the customers whom your books know, so that nobody stands there twice.
        </p>
        <div className="books-do">
          <Button onClick={onMatch}>Match customers</Button>
        </div>
      </Card>
      <Card title="2. Where things are booked" hint="Ask your bookkeeper if you are not sure. You can change it later.">
        <SetupForm books={books} />
      </Card>
    </>
  ) : (
    <Card>
      <p className="muted">QuickBooks is connected. Somebody who works with money still has to choose the accounts.</p>
    </Card>
  )

const waitWords = (books: Books): string => {
  const many = books.waiting === 1 ? '1 entry waits' : `${books.waiting} entries wait`
  return books.waiting > 0 ? `${many} and nothing is lost.` : 'Nothing waits.'
}

const Connected = ({ books }: { books: Books }) => {
  const { params, change } = useParams()
  const view = [...views, months].find(({ value }) => value === params.get('show'))?.value ?? 'failed'
  const counts = { failed: books.failed, waiting: books.waiting, skipped: books.skipped, months: 0 }
  return (
    <>
      {books.gathering ? (
        <Banner>
          What happened since {formatDay(books.setup?.startOn ?? '', { year: true })} is being gathered. You can leave
          this page.
        </Banner>
      ) : null}
      {books.pausedUntil ? (
        <Banner tone="warn">
          QuickBooks asked us to slow down. It goes on by itself within a minute; {waitWords(books).toLowerCase()}
        </Banner>
      ) : null}
      <Tabs
        label="What goes to QuickBooks"
        value={view}
        tabs={[...views, months].map(({ value, label }) => ({
          value,
          label,
          ...(counts[value] > 0 ? { count: counts[value] } : {}),
        }))}
        onChange={(value) => change({ show: value === 'failed' ? null : value })}
      />
      {view === 'months' ? (
        <Months onQueue={() => change({ show: null })} />
      ) : (
        <QueueList key={view} books={books} status={view} />
      )}
    </>
  )
}

const Body = ({ books }: { books: Books }) => {
  const [open, setOpen] = useState<'settings' | 'match' | 'disconnect' | null>(null)
  const { disconnect } = useBooks()
  const close = () => setOpen(null)
  const isThere = books.state === 'setUp' || books.state === 'connected' || books.state === 'reconnect'
  return (
    <>
      <PageHeader
        title="QuickBooks"
        sub={
          isThere ? (
            <>
              {books.companyName}
              {books.setup ? `, since ${formatDay(books.setup.startOn, { year: true })}` : ''}
            </>
          ) : undefined
        }
        beside={
          isThere && !books.livemode ? (
            <Badge tone="flag">{books.provider === 'local' ? 'TEST books' : 'Sandbox'}</Badge>
          ) : null
        }
        actions={
          isThere ? (
            <Actions
              books={books}
              onSettings={() => setOpen('settings')}
              onMatch={() => setOpen('match')}
              onDisconnect={() => setOpen('disconnect')}
            />
          ) : null
        }
      />
      {books.state === 'reconnect' ? (
        <Banner
          tone="error"
          title="QuickBooks has to be connected again"
          action={<Connect books={books} label="Connect again" />}
        >
          It does not let us in any more. {waitWords(books)}
        </Banner>
      ) : null}
      {!isThere ? <Unconnected books={books} /> : null}
      {books.state === 'setUp' ? <FirstSteps books={books} onMatch={() => setOpen('match')} /> : null}
      {books.setup && isThere ? <Connected books={books} /> : null}
      <Dialog open={open === 'settings'} onClose={close} title="Accounts and tax" size="l" closeOnOutside={false}>
        {open === 'settings' ? <SetupForm books={books} onSaved={close} /> : null}
      </Dialog>
      <Matches open={open === 'match'} onClose={close} />
      <ConfirmDialog
        open={open === 'disconnect'}
        onClose={close}
        title="Disconnect QuickBooks?"
        confirmLabel="Disconnect"
        danger
        onConfirm={() => disconnect.mutateAsync()}
      >
        Nothing more is sent. What is in QuickBooks stays there, and connecting the same company later goes on without
        doubling anything
        {books.waiting > 0
          ? `: ${books.waiting === 1 ? '1 entry that waits' : `${books.waiting} entries that wait`} are kept for that`
          : ''}
        .
      </ConfirmDialog>
    </>
  )
}

/** A business's books at QuickBooks Online: whether they are connected, what goes there, and what does not go through. */
export const QuickbooksScreen = () => {
  const may = useMay()
  const sees = may(quickbooksApi.get)
  const { problem, busy } = useComeBack()
  const found = useQuery({ ...booksQuery, enabled: sees && !busy })
  if (!sees)
    return (
      <>
        <PageHeader title="QuickBooks" />
        <EmptyState picture="none" title="Only people who work with money see this">
          The owner of your business can give you that permission under Employees.
        </EmptyState>
      </>
    )
  return (
    <div className="books">
      {problem ? (
        <Banner tone="error" title="QuickBooks was not connected">
          {problem instanceof Error ? problem.message : 'Please press Connect again.'}
        </Banner>
      ) : null}
      {found.data ? (
        <Body books={found.data} />
      ) : (
        <>
          <PageHeader title="QuickBooks" />
          {found.isError ? (
            <ErrorState error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
          ) : (
            <Card flush>
              <TableSkeleton rows={4} columns={2} />
            </Card>
          )}
        </>
      )}
    </div>
  )
}
