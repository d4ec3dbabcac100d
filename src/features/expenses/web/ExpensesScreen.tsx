import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { linkTo, recordParam } from '../../../shared/links.ts'
import { formatCents } from '../../../shared/money.ts'
import { Button } from '../../../ui/Button.tsx'
import { copyText } from '../../../ui/copy.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconDots, IconDownload, IconPlus } from '../../../ui/icons.ts'
import { Menu } from '../../../ui/Menu.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { useMay, useToday } from '../../accounts/web/session.ts'
import { expensesApi } from '../contract.ts'
import { Mileage } from '../mileage/web/Mileage.tsx'
import { RecurringCosts } from '../recurring/web/RecurringCosts.tsx'
import { Categories } from './Categories.tsx'
import { categoriesQuery, choicesQuery, expensesQuery } from './data.ts'
import { ExpenseList } from './ExpenseList.tsx'
import './expenses.css'
import { spans, usePlace, views } from './place.ts'
import { QuickAdd, type QuickKind, quickLabels } from './QuickAdd.tsx'
import { YearTotals } from './YearTotals.tsx'

const MailIn = ({ address }: { address: string }) => (
  <p className="exp-mail muted">
    Mail a receipt to{' '}
    <button
      type="button"
      className="exp-mail__address"
      onClick={() =>
        void copyText(
          address,
          'Address copied',
          'This browser did not let us copy it. Mark the address and copy it by hand.',
        )
      }
    >
      {address}
    </button>{' '}
    and it waits here with its pictures and PDFs.
  </p>
)

/** What the business spends: the list, what waits to be looked at, what comes again, miles, and the year. */
export const ExpensesScreen = () => {
  const today = useToday()
  const place = usePlace(today)
  const may = useMay()
  const sees = may(expensesApi.list)
  const [quick, setQuick] = useState<QuickKind | null>(null)
  const [managing, setManaging] = useState(false)
  const list = useInfiniteQuery({ ...expensesQuery(place.query), enabled: sees })
  const categories = useQuery({ ...categoriesQuery, enabled: sees })
  const choices = useQuery({ ...choicesQuery, enabled: sees })
  const first = list.data?.pages[0]
  if (!sees)
    return (
      <>
        <PageHeader title="Expenses" />
        <EmptyState picture="none" title="Only people who work with money see this">
          The owner of your business can give you that permission under Employees.
        </EmptyState>
      </>
    )
  const changes = may(expensesApi.create)
  const span = spans(today).find(({ value }) => value === place.span)?.label ?? ''
  const headline = !first
    ? ' '
    : place.view === 'review'
      ? first.reviewCount === 1
        ? '1 receipt waits to be looked at'
        : `${first.reviewCount} receipts wait to be looked at`
      : `${formatCents(first.totalCents)} spent${place.narrowed ? ' on what you look for' : ''}, ${span}${first.waitingCents > 0 ? ` · ${formatCents(first.waitingCents)} of it still to review, in no month or file yet` : ''}`
  return (
    <>
      <PageHeader
        title="Expenses"
        sub={place.view === 'list' || place.view === 'review' ? headline : undefined}
        actions={
          changes ? (
            <>
              {(['fuel', 'disposal'] as const).map((kind) => (
                <Button
                  key={kind}
                  calls={expensesApi.create}
                  disabled={!choices.data || !categories.data}
                  onClick={() => setQuick(kind)}
                >
                  {quickLabels[kind]}
                </Button>
              ))}
              <Menu
                items={[
                  { label: 'Categories', onClick: () => setManaging(true) },
                  {
                    label: 'Invoices, with files for the accountant',
                    icon: <IconDownload size={18} />,
                    href: linkTo.invoices({ view: undefined }),
                  },
                ]}
              >
                <IconButton label="More for expenses" kind="secondary" icon={<IconDots />} tooltip={false} />
              </Menu>
              <Button
                calls={expensesApi.create}
                kind="primary"
                icon={<IconPlus />}
                onClick={() =>
                  place.change({
                    new: '1',
                    [recordParam.expense]: null,
                    view: place.view === 'review' ? 'review' : null,
                  })
                }
              >
                New expense
              </Button>
            </>
          ) : null
        }
      />
      <Tabs
        label="Parts of expenses"
        value={place.view}
        tabs={views.map(({ id, name }) => ({
          value: id,
          label: name,
          href: linkTo.expenses({ view: id === 'list' ? undefined : id }),
          ...(id === 'review' && first && first.reviewCount > 0 ? { count: first.reviewCount } : {}),
        }))}
      />
      {place.view === 'recurring' ? (
        <RecurringCosts />
      ) : place.view === 'mileage' ? (
        <Mileage
          month={place.month}
          onMonth={(month) => place.change({ in: month }, { replace: true })}
          today={today}
        />
      ) : place.view === 'year' ? (
        <YearTotals today={today} />
      ) : (
        <>
          <ExpenseList place={place} today={today} />
          {choices.data?.mailTo ? <MailIn address={choices.data.mailTo} /> : null}
        </>
      )}
      {choices.data && categories.data ? (
        <>
          <QuickAdd
            kind={quick}
            categoryId={categories.data.find(({ code, archived }) => code === quick && !archived)?.id ?? null}
            choices={choices.data}
            onClose={() => setQuick(null)}
          />
          <Categories open={managing} categories={categories.data} onClose={() => setManaging(false)} />
        </>
      ) : null}
    </>
  )
}
