import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../shared/client.ts'
import { formatCents } from '../../../shared/money.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { IconDownload } from '../../../ui/icons.ts'
import { RadioField } from '../../../ui/RadioField.tsx'
import { Stat } from '../../../ui/Stat.tsx'
import { StatRow } from '../../../ui/StatRow.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { ImportRecord } from '../contract.ts'
import { type DuplicateChoice, expectedCustomers } from '../rules.ts'
import { downloadRows, rowsQuery, useConfirm } from './data.ts'
import { ImportRows } from './ImportRows.tsx'
import { NewServices } from './NewServices.tsx'

type Shown = 'error' | 'duplicate' | 'partly' | 'ok'

const customers = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'customer' : 'customers'}`

/** What the dry run found, and the one button that writes. */
export const CheckStep = ({ record, onRemap }: { record: ImportRecord; onRemap: () => void }) => {
  const confirm = useConfirm(record.id)
  const [duplicates, setDuplicates] = useState<DuplicateChoice>('skip')
  const [shown, setShown] = useState<Shown>(
    record.errorCount > 0 ? 'error' : record.duplicateCount > 0 ? 'duplicate' : 'ok',
  )
  const partlyCount = useInfiniteQuery(rowsQuery(record.id, 'ok', true)).data?.pages[0]?.total ?? 0
  const expected = expectedCustomers(record, duplicates)
  const nothing = record.okCount === 0 && (duplicates === 'skip' || record.duplicateCount === 0)
  const label =
    expected.customers > 0
      ? `Import ${customers(expected.customers)}`
      : record.jobCount > 0
        ? `Import ${record.jobCount.toLocaleString('en-US')} ${record.jobCount === 1 ? 'job' : 'jobs'}`
        : `Import ${(record.okCount + (duplicates === 'skip' ? 0 : record.duplicateCount)).toLocaleString('en-US')} rows`
  /** A choice of services is made but the rows are not judged by it yet. */
  const [open, setOpen] = useState(false)
  const failed = confirm.error instanceof ApiError ? confirm.error.message : null
  return (
    <div className="import-check">
      <StatRow>
        <Stat
          label="Ready"
          value={record.okCount.toLocaleString('en-US')}
          note={
            record.okCount === record.customerCount
              ? customers(record.customerCount)
              : `rows, ${customers(record.customerCount)}`
          }
          tone="good"
        />
        <Stat
          label="Need a look"
          value={record.errorCount.toLocaleString('en-US')}
          note={record.errorCount ? 'stay out; the rest comes in' : 'nothing wrong'}
          tone={record.errorCount ? 'bad' : 'plain'}
        />
        <Stat
          label="Doubles"
          value={record.duplicateCount.toLocaleString('en-US')}
          note={record.duplicateCount ? 'in the file or in your list' : 'nobody twice'}
        />
        {record.jobCount > 0 ? (
          <Stat
            label="Jobs"
            value={record.jobCount.toLocaleString('en-US')}
            note="with how often they come back"
            tone="good"
          />
        ) : null}
        {record.balanceCents ? (
          <Stat
            label="Open balances"
            value={formatCents(record.balanceCents)}
            note="as opening balances, nobody is mailed"
          />
        ) : null}
        {record.plan.limit === null ? null : (
          <Stat
            label="Come in archived"
            value={expected.archived.toLocaleString('en-US')}
            note={`${record.plan.name} holds ${record.plan.limit}, you have ${record.plan.customers}`}
            tone={expected.archived ? 'bad' : 'plain'}
          />
        )}
      </StatRow>
      {failed ? <Banner tone="error">{failed}</Banner> : null}
      {expected.archived > 0 ? (
        <Banner
          tone="warn"
          title={`${customers(expected.archived)} will come in archived.`}
          action={<Button href="/pricing">See {record.plan.nextName ?? 'plans'}</Button>}
        >
          Nobody is lost: they wait in the Archived view, ready to be switched on when the plan holds them.
        </Banner>
      ) : null}
      {record.newServices.length > 0 ? (
        <NewServices key={JSON.stringify(record.newServices)} record={record} onRemap={onRemap} onOpen={setOpen} />
      ) : null}
      {record.duplicateCount > 0 ? (
        <Card title="What about the doubles?">
          <RadioField
            label="Doubles"
            hideLabel
            row
            value={duplicates}
            onChange={setDuplicates}
            options={[
              {
                value: 'skip',
                label: `Leave ${record.duplicateCount === 1 ? 'it' : `all ${record.duplicateCount}`} out`,
              },
              { value: 'update', label: 'Fill what is empty on those who are there' },
              { value: 'import', label: 'Bring them in as new customers' },
            ]}
          />
        </Card>
      ) : null}
      {record.okCount >= 10 && partlyCount * 2 > record.okCount ? (
        <Banner
          tone="warn"
          title={`${partlyCount.toLocaleString('en-US')} of ${record.okCount.toLocaleString('en-US')} rows come in without a cell.`}
          action={
            <Button size="s" onClick={onRemap}>
              Match the columns again
            </Button>
          }
        >
          So many at once is mostly a column that was matched to the wrong field. Look under “Ready, less a cell” before
          you go on.
        </Banner>
      ) : null}
      <Card flush>
        <div className="import-check__tabs">
          <Tabs<Shown>
            label="Rows of the file"
            value={shown}
            onChange={setShown}
            tabs={[
              { value: 'error', label: 'Need a look', count: record.errorCount },
              { value: 'duplicate', label: 'Doubles', count: record.duplicateCount },
              ...(partlyCount > 0
                ? [{ value: 'partly' as const, label: 'Ready, less a cell', count: partlyCount }]
                : []),
              { value: 'ok', label: 'Ready', count: record.okCount },
            ]}
          />
          {shown === 'error' && record.errorCount > 0 ? (
            <Button
              size="s"
              icon={<IconDownload />}
              onClick={() => void downloadRows(record.id, 'error').catch(toast.error)}
            >
              Download these rows
            </Button>
          ) : null}
        </div>
        <ImportRows
          id={record.id}
          status={shown === 'partly' ? 'ok' : shown}
          withReason={shown === 'partly'}
          brings={{
            jobs: shown === 'ok' && record.jobCount > 0,
            balances: shown === 'ok' && (record.balanceCents ?? 0) > 0,
          }}
          empty={
            <EmptyState
              compact
              title={
                shown === 'error'
                  ? 'Every row can come in'
                  : shown === 'duplicate'
                    ? 'Nobody is here twice'
                    : 'No row can come in yet'
              }
            >
              {shown === 'ok' ? 'Go back to the columns, or fix the file and upload it again.' : null}
            </EmptyState>
          }
        />
      </Card>
      <div className="import-bar">
        <div className="import-bar__words">
          <Button onClick={onRemap}>Back to the columns</Button>
          <span className="muted">Nothing is saved yet. You can undo the import afterwards.</span>
        </div>
        <Button
          kind="primary"
          loading={confirm.isPending}
          disabled={!record.can.confirm || nothing || open}
          onClick={() => confirm.mutate(duplicates)}
        >
          {nothing ? 'Nothing to import' : label}
        </Button>
      </div>
    </div>
  )
}
