import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../shared/client.ts'
import { formatDay } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { formatCents } from '../../../shared/money.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { IconTrash } from '../../../ui/icons.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { RecordFailed } from '../../../ui/RecordFailed.tsx'
import { RecordPanel } from '../../../ui/RecordPanel.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useUser } from '../../accounts/web/session.ts'
import { type Expense, expensesApi } from '../contract.ts'
import { categoriesQuery, choicesQuery, expenseQuery, useKeepExpense } from './data.ts'
import { ExpenseForm } from './ExpenseForm.tsx'
import { InClosedMonth } from './InClosedMonth.tsx'
import { Receipts } from './Receipts.tsx'

type Verb = 'remove' | 'restore'

const sourceLabels: Record<Expense['source'], string> = {
  office: 'Added',
  crew: 'Handed in from the phone',
  mail: 'Came by mail',
  recurring: 'Booked by itself',
  payout: 'Booked with its payout',
}

type Props = {
  /** `new` makes one. */
  id: string
  onClose: () => void
  onMade: (expense: Expense) => void
  onPrevious?: (() => void) | undefined
  onNext?: (() => void) | undefined
}

/** One expense with its receipts, to look at and to change; or a new one. */
export const ExpensePanel = ({ id, onClose, onMade, onPrevious, onNext }: Props) => {
  const isNew = id === 'new'
  const one = useQuery({ ...expenseQuery(id), enabled: !isNew })
  const categories = useQuery(categoriesQuery)
  const choices = useQuery(choicesQuery)
  const keep = useKeepExpense()
  const expense = isNew ? null : one.data
  const isOwner = useUser().role === 'Owner'
  const [asks, setAsks] = useState<Verb | null>(null)
  const put = async (verb: Verb, from: Expense) => {
    const now = await keep.mutateAsync({ id: from.id, version: from.version, verb })
    if (verb === 'restore') return toast.success('Back in the books')
    onClose()
    toast.undo(`${formatCents(now.totalCents)} for ${now.category.name} removed`, () =>
      put('restore', now).catch(toast.error),
    )
  }
  /** @returns what is said of it */
  const putAllTheSame = async (verb: Verb, { id, version }: Expense, exceptionReason: string): Promise<string> => {
    const now = await keep.mutateAsync({ id, version, verb, exceptionReason })
    if (verb === 'restore') return 'Back in the books'
    onClose()
    return `${formatCents(now.totalCents)} for ${now.category.name} removed`
  }
  const press = async (verb: Verb, from: Expense) => {
    try {
      await put(verb, from)
    } catch (error) {
      const isClosed = error instanceof ApiError && typeof error.details.closedThrough === 'string'
      if (isClosed && isOwner) setAsks(verb)
      else toast.error(error)
    }
  }
  const lists = categories.error ?? choices.error
  return (
    <RecordPanel
      open
      onClose={onClose}
      onPrevious={onPrevious}
      onNext={onNext}
      width={560}
      title={expense ? expense.vendor || expense.category.name : isNew ? 'New expense' : 'Expense'}
      badge={
        expense?.removed ? (
          <Badge tone="neutral">Removed</Badge>
        ) : expense?.review ? (
          <Badge tone="wait">To review</Badge>
        ) : null
      }
      sub={
        expense
          ? `${sourceLabels[expense.source]}${expense.createdBy ? ` by ${expense.createdBy}` : ''} · ${formatDay(expense.day, { year: true })}`
          : isNew
            ? 'What was paid, to whom and what for'
            : undefined
      }
      footer={
        expense?.removed ? (
          <Button
            kind="primary"
            calls={expensesApi.restore}
            loading={keep.isPending}
            disabled={!expense.can.restore}
            onClick={() => void press('restore', expense)}
          >
            Put back in the books
          </Button>
        ) : isNew || expense?.can.update ? (
          <>
            {expense?.can.remove ? (
              <Button
                kind="quiet"
                calls={expensesApi.remove}
                icon={<IconTrash />}
                loading={keep.isPending}
                onClick={() => void press('remove', expense)}
              >
                Remove
              </Button>
            ) : null}
            <Button kind="primary" type="submit" form="expense-form" calls={expensesApi.update}>
              {isNew ? 'Add expense' : expense?.review ? 'Looks right: book it' : 'Save expense'}
            </Button>
          </>
        ) : undefined
      }
    >
      {one.error && !expense ? (
        <RecordFailed
          what="expense"
          error={one.error}
          onClose={onClose}
          onRetry={one.refetch}
          retrying={one.isFetching}
        />
      ) : lists && !(categories.data && choices.data) ? (
        <ErrorState
          compact
          error={lists}
          onRetry={() => void Promise.all([categories.refetch(), choices.refetch()])}
          retrying={categories.isFetching || choices.isFetching}
        />
      ) : (isNew || expense) && categories.data && choices.data ? (
        <div className="exp-panel">
          {expense?.source === 'mail' && expense.review && expense.totalCents === 0 ? (
            <Banner tone="info">The mail names no total. Read it off the receipt and type it in.</Banner>
          ) : null}
          {expense ? <Receipts expense={expense} /> : null}
          {expense?.payoutId ? (
            <Banner tone="info">
              {formatCents(expense.totalCents)} in {expense.category.name}. The card provider kept it of your card
              payments before it paid out, so nobody changes it here.{' '}
              <LinkTo href={linkTo.payout(expense.payoutId)}>Open the payout</LinkTo>
            </Banner>
          ) : (
            <ExpenseForm
              key={expense ? `${expense.id} ${expense.removed}` : 'new'}
              expense={expense ?? null}
              categories={categories.data}
              choices={choices.data}
              onDone={(saved) => (isNew ? onMade(saved) : onClose())}
            />
          )}
        </div>
      ) : (
        <PanelSkeleton />
      )}
      {expense && asks ? (
        <InClosedMonth
          verb={asks}
          onClose={() => setAsks(null)}
          onReason={(reason) => putAllTheSame(asks, expense, reason)}
        />
      ) : null}
    </RecordPanel>
  )
}
