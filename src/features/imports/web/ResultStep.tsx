import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { linkTo } from '../../../shared/links.ts'
import { formatCents } from '../../../shared/money.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { IconArrowBackUp, IconDownload, IconMap2 } from '../../../ui/icons.ts'
import { toast } from '../../../ui/toast.tsx'
import type { ImportRecord } from '../contract.ts'
import { downloadRows, rowsQuery, useUndo } from './data.ts'
import { ImportRows } from './ImportRows.tsx'

const customers = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'customer' : 'customers'}`

const Undone = ({ record }: { record: ImportRecord }) => {
  const stayed = useInfiniteQuery(rowsQuery(record.id, 'written', true)).data?.pages[0]?.total ?? 0
  return (
    <div className="import-result">
      <EmptyState
        picture="unmowed"
        title="The import is undone"
        action={
          <Button kind="primary" href={linkTo.import('new')}>
            Bring another list
          </Button>
        }
      >
        {record.remainingCount > 0
          ? `Everything else it made is gone. ${customers(record.remainingCount)} stayed: work was booked or money stands in your books for them.`
          : stayed > 0
            ? 'Everything it made is gone. Voided opening balances stay in your books, with their customers in the archive.'
            : 'Everything it made is gone. Your other customers were not touched.'}
      </EmptyState>
      {stayed > 0 ? (
        <Card title="These stayed" flush>
          <ImportRows id={record.id} status="written" empty={<EmptyState compact title="Nobody stayed" />} />
        </Card>
      ) : null}
    </div>
  )
}

/** Rows that came in with a remark: somebody back from the archive, or a job that nobody could be sure of and that is booked by hand. */
const PartlyWritten = ({ id }: { id: string }) => {
  const rows = useInfiniteQuery(rowsQuery(id, 'written', true))
  const count = rows.data?.pages[0]?.total ?? 0
  return count === 0 ? null : (
    <Card
      title={`${count.toLocaleString('en-US')} ${count === 1 ? 'row came in' : 'rows came in'} with a remark`}
      actions={
        <Button size="s" icon={<IconDownload />} onClick={() => void downloadRows(id, 'written').catch(toast.error)}>
          Download as a list
        </Button>
      }
      flush
    >
      <ImportRows id={id} status="written" withReason empty={<EmptyState compact title="None" />} />
    </Card>
  )
}

/** What came in, what did not, and the way back. */
export const ResultStep = ({ record }: { record: ImportRecord }) => {
  const undo = useUndo(record.id)
  const [asking, setAsking] = useState(false)
  if (record.status === 'undone') return <Undone record={record} />
  return (
    <div className="import-result">
      <EmptyState
        picture="mowed"
        title={
          record.customerCount === 0
            ? `${record.doneCount.toLocaleString('en-US')} ${record.doneCount === 1 ? 'row' : 'rows'} came in`
            : `${customers(record.customerCount)} came in`
        }
        action={
          <>
            {record.customerCount > 0 ? (
              <>
                <Button kind="primary" href={linkTo.customers({ importId: record.id })}>
                  See the {record.customerCount === 1 ? 'customer' : 'customers'}
                </Button>
                <Button icon={<IconMap2 />} href={linkTo.customerMap({ importId: record.id })}>
                  On the map
                </Button>
              </>
            ) : (
              <Button kind="primary" href="/jobs?tab=manage">
                See your jobs
              </Button>
            )}
            {record.can.undo ? (
              <Button icon={<IconArrowBackUp />} onClick={() => setAsking(true)}>
                Undo the import
              </Button>
            ) : null}
          </>
        }
      >
        {record.doneCount.toLocaleString('en-US')} rows of {record.fileName} were written
        {record.errorCount + record.duplicateCount > 0
          ? `; ${(record.errorCount + record.duplicateCount).toLocaleString('en-US')} stayed out.`
          : '; none stayed out.'}
        {record.jobCount > 0 ? ` Jobs booked: ${record.jobCount.toLocaleString('en-US')}.` : null}
        {record.addedServices.length > 0 ? ` Services added: ${record.addedServices.join(', ')}.` : null}
        {record.balanceCents ? ` Opening balances: ${formatCents(record.balanceCents)}.` : null}
      </EmptyState>
      <PartlyWritten id={record.id} />
      {record.archivedCount > 0 ? (
        <Banner
          tone="warn"
          title={`${customers(record.archivedCount)} came in archived.`}
          action={<Button href={linkTo.customers({ archived: true })}>Show them</Button>}
        >
          {`${record.plan.name} holds ${record.plan.limit ?? 'them all'}. `}
          {record.plan.nextName
            ? `Switch them on with ${record.plan.nextName}, or archive others first.`
            : 'You can switch them on now.'}
        </Banner>
      ) : null}
      {record.errorCount > 0 ? (
        <Card
          title={`${record.errorCount.toLocaleString('en-US')} ${record.errorCount === 1 ? 'row needs' : 'rows need'} a look`}
          actions={
            <Button
              size="s"
              icon={<IconDownload />}
              onClick={() => void downloadRows(record.id, 'error').catch(toast.error)}
            >
              Download to fix
            </Button>
          }
          flush
        >
          <ImportRows id={record.id} status="error" empty={<EmptyState compact title="None" />} />
        </Card>
      ) : null}
      {record.duplicateCount > 0 ? (
        <Card
          title={`${record.duplicateCount.toLocaleString('en-US')} ${record.duplicateCount === 1 ? 'double was' : 'doubles were'} left out`}
          flush
        >
          <ImportRows id={record.id} status="duplicate" empty={<EmptyState compact title="None" />} />
        </Card>
      ) : null}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        danger
        title="Undo the import?"
        confirmLabel="Undo the import"
        onConfirm={() => undo.mutateAsync()}
      >
        What this import made is removed, its jobs included, also what was changed on these customers since; its opening
        balances are voided. Who has other work, invoices or payments by now stays and is listed. Your other customers
        are not touched.
      </ConfirmDialog>
    </div>
  )
}
