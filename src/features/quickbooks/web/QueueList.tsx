import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDay } from '../../../shared/dates.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { Money } from '../../../ui/Money.tsx'
import { TableSkeleton } from '../../../ui/Skeleton.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { type Books, type QueueRow, quickbooksApi } from '../contract.ts'
import { type Fix, kindLabels } from '../rules.ts'
import { type QueueStatus, queueQuery, useBooks } from './data.ts'

const fixLabel = (row: QueueRow, fix: Fix): string => {
  if (fix === 'link') return `Use ${row.twin?.name ?? 'the one'} in QuickBooks`
  if (fix === 'suffix') return `Send as ${row.renamed ?? 'another name'}`
  if (fix === 'again') return 'Send it again'
  if (fix === 'accept')
    return row.fixes.includes('follow') ? 'Leave both as they are' : 'Leave it as it is in QuickBooks'
  if (fix === 'skip') return 'Skip'
  if (fix === 'follow') return 'Move it in Swath too'
  if (row.fixes.includes('follow')) return 'Put it back in QuickBooks'
  return row.status === 'skipped' ? 'Send it after all' : 'Try again'
}
const doneLabel: Record<Fix, string> = {
  link: 'Linked. It goes with what waits for it.',
  suffix: 'It goes under its new name.',
  follow: 'Moved in Swath, as it is in QuickBooks.',
  again: 'It is sent again.',
  accept: 'Left as it is in QuickBooks.',
  skip: 'Skipped. You find it under Not sent.',
  retry: 'It is tried again.',
}

const Row = ({ row, onSkip }: { row: QueueRow; onSkip: () => void }) => {
  const { fix } = useBooks()
  const may = useMay()
  const [pressed, setPressed] = useState<Fix | null>(null)
  const act = (how: Fix) => {
    if (how === 'skip') return onSkip()
    setPressed(how)
    fix.mutate(
      { id: row.id, how },
      {
        onSuccess: () => toast.success(doneLabel[how]),
        onError: (error) => toast.error(error),
        onSettled: () => setPressed(null),
      },
    )
  }
  return (
    <li className="books-row">
      <div className="books-row__head">
        <span className="books-row__what">
          {row.href ? <LinkTo href={row.href}>{row.label}</LinkTo> : <b>{row.label}</b>}
          {row.about ? <span className="hint">{row.about}</span> : null}
          {row.label.startsWith(kindLabels[row.kind]) ? null : <Badge tone="neutral">{kindLabels[row.kind]}</Badge>}
        </span>
        <span className="books-row__side">
          {row.cents === null ? null : <Money cents={row.cents} />}
          {row.day ? <span className="hint num">{formatDay(row.day, { year: true })}</span> : null}
        </span>
      </div>
      {row.message ? <p className={row.status === 'failed' ? 'books-row__problem' : 'muted'}>{row.message}</p> : null}
      {row.fixes.length > 0 && may(quickbooksApi.fix) ? (
        <div className="books-do">
          {row.fixes.map((how, at) => (
            <Button
              key={how}
              size="s"
              kind={how === 'skip' ? 'quiet' : at === 0 && row.status === 'failed' ? 'primary' : 'secondary'}
              calls={quickbooksApi.fix}
              loading={pressed === how}
              disabled={fix.isPending && pressed !== how}
              onClick={() => act(how)}
            >
              {fixLabel(row, how)}
            </Button>
          ))}
          {row.remoteUrl ? (
            <Button size="s" kind="quiet" href={row.remoteUrl} newTab>
              Look in QuickBooks
            </Button>
          ) : null}
        </div>
      ) : null}
    </li>
  )
}

const Skip = ({ row, onClose }: { row: QueueRow | null; onClose: () => void }) => {
  const { fix } = useBooks()
  const [reason, setReason] = useState('')
  return (
    <ConfirmDialog
      open={row !== null}
      onClose={() => {
        setReason('')
        onClose()
      }}
      title={`Skip ${row?.label ?? ''}?`}
      confirmLabel="Skip it"
      onConfirm={async () => {
        await fix.mutateAsync({ id: row?.id ?? '', how: 'skip', reason })
        toast.success(doneLabel.skip)
      }}
    >
      <p>It stays in Swath and is not sent. What needs it waits. You can send it after all any time.</p>
      <TextField label="Why (for your bookkeeper)" maxLength={300} value={reason} onChange={setReason} />
    </ConfirmDialog>
  )
}

const nothing: Record<QueueStatus, { title: string; words: (books: Books) => string }> = {
  failed: {
    title: 'Nothing needs you',
    words: ({ waiting, gathering }) =>
      gathering
        ? 'What is gathered goes by itself; this page says so if something of it needs you.'
        : waiting > 0
          ? 'What waits goes by itself within a minute or two.'
          : 'Everything since your start day is in QuickBooks.',
  },
  waiting: { title: 'Nothing waits', words: () => 'What happens in Swath goes to QuickBooks within a minute.' },
  skipped: { title: 'Nothing was left out', words: () => 'What you skip, and what cannot be sent, is listed here.' },
}

/** What goes to the books, in the order in which it goes, and what does not go through with what to do about it. */
export const QueueList = ({ books, status }: { books: Books; status: QueueStatus }) => {
  const found = useQuery(queueQuery(status))
  const [skipping, setSkipping] = useState<QueueRow | null>(null)
  const data = found.data
  if (!data)
    return found.isError ? (
      <ErrorState error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
    ) : (
      <Card flush>
        <TableSkeleton rows={3} columns={2} />
      </Card>
    )
  if (data.items.length === 0)
    return (
      <Card>
        <EmptyState title={nothing[status].title} picture="mowed" compact>
          {nothing[status].words(books)}
        </EmptyState>
      </Card>
    )
  return (
    <Card flush>
      <ul className="books-rows">
        {data.items.map((row) => (
          <Row key={row.id} row={row} onSkip={() => setSkipping(row)} />
        ))}
      </ul>
      {data.more ? (
        <p className="books-more muted">
          These are the first {data.items.length}; the next ones follow when these are done.
        </p>
      ) : null}
      <Skip row={skipping} onClose={() => setSkipping(null)} />
    </Card>
  )
}
