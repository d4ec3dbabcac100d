import { useState } from 'react'
import { linkTo } from '../../../shared/links.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { IconArrowBackUp, IconDownload, IconMap2 } from '../../../ui/icons.ts'
import { toast } from '../../../ui/toast.tsx'
import type { ImportRecord } from '../contract.ts'
import { downloadRows, useUndo } from './data.ts'
import { ImportRows } from './ImportRows.tsx'

const customers = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'customer' : 'customers'}`

const Undone = ({ record }: { record: ImportRecord }) => (
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
        ? `Everything it made is gone, except ${customers(record.remainingCount)} with work or money since.`
        : 'Everything it made is gone. Your other customers were not touched.'}
    </EmptyState>
    {record.remainingCount > 0 ? (
      <Card title="These stayed" flush>
        <ImportRows id={record.id} status="written" empty={<EmptyState compact title="Nobody stayed" />} />
      </Card>
    ) : null}
  </div>
)

/** What came in, what did not, and the way back. */
export const ResultStep = ({ record }: { record: ImportRecord }) => {
  const undo = useUndo(record.id)
  const [asking, setAsking] = useState(false)
  if (record.status === 'undone') return <Undone record={record} />
  const active = record.customerCount - record.archivedCount
  return (
    <div className="import-result">
      <EmptyState
        picture="mowed"
        title={`${customers(active)} ${active === 1 ? 'is' : 'are'} in your list`}
        action={
          <>
            <Button kind="primary" href={linkTo.customers({ importId: record.id })}>
              See {active === 1 ? 'the customer' : `the ${customers(active)}`}
            </Button>
            <Button icon={<IconMap2 />} href={linkTo.customerMap({ importId: record.id })}>
              On the map
            </Button>
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
      </EmptyState>
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
        title={`Undo ${customers(record.customerCount)}?`}
        confirmLabel="Undo the import"
        onConfirm={() => undo.mutateAsync()}
      >
        What this import made is removed, also what was changed on these customers since. Those who have jobs, invoices
        or payments by now stay and are listed. Your other customers are not touched.
      </ConfirmDialog>
    </div>
  )
}
