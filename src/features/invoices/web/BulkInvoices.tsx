import { useRef, useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { IconDownload, IconMail, IconSend } from '../../../ui/icons.ts'
import { toast } from '../../../ui/toast.tsx'
import type { InvoiceChoice } from '../contract.ts'
import { useMany, usePrintMany } from './data.ts'

type Asked = { verb: 'sendMany' | 'remindMany' }
type Left = { id: string; number: number; reason: string }[]

const invoices = (count: number) => (count === 1 ? '1 invoice' : `${count.toLocaleString('en-US')} invoices`)

/** Mails to many at once: asked first, and whoever was left out is named after. */
export const BulkInvoices = ({
  choice,
  count,
  view,
  onDone,
}: {
  choice: InvoiceChoice
  count: number
  view: string
  onDone: () => void
}) => {
  const many = useMany()
  const print = usePrintMany()
  const [asked, setAsked] = useState<Asked | null>(null)
  const [left, setLeft] = useState<Left>([])
  const last = useRef<Asked['verb']>('sendMany')
  const ask = (verb: Asked['verb']) => {
    last.current = verb
    setAsked({ verb })
  }
  const run = async () => {
    if (!asked) return
    const { sentCount, skipped } = await many.mutateAsync({ verb: asked.verb, choice })
    if (sentCount > 0)
      toast.success(
        asked.verb === 'sendMany'
          ? `${invoices(sentCount)} on the way`
          : `${sentCount === 1 ? '1 reminder' : `${sentCount} reminders`} on the way`,
      )
    if (skipped.length > 0) setLeft(skipped)
    else onDone()
  }
  const send = last.current === 'sendMany'
  const hasPaper = view !== 'drafts' && view !== 'void'
  const canSend = view !== 'paid' && view !== 'void' && view !== 'written_off'
  return (
    <>
      {view === 'drafts' || !canSend ? null : (
        <Button size="s" icon={<IconMail />} onClick={() => ask('remindMany')}>
          Remind {count}
        </Button>
      )}
      {hasPaper ? (
        <Button
          size="s"
          icon={<IconDownload />}
          loading={print.isPending}
          onClick={() => print.mutate(choice, { onError: toast.error })}
        >
          Print {count.toLocaleString('en-US')}
        </Button>
      ) : null}
      {canSend ? (
        <Button size="s" icon={<IconSend />} onClick={() => ask('sendMany')}>
          Send {invoices(count)}
        </Button>
      ) : hasPaper ? null : (
        <span className="hint">Nothing to send in this view</span>
      )}
      <ConfirmDialog
        open={asked !== null}
        onClose={() => setAsked(null)}
        title={send ? `Send ${invoices(count)}?` : `Remind of ${invoices(count)}?`}
        confirmLabel={send ? `Send ${invoices(count)}` : `Send ${count} reminders`}
        onConfirm={run}
      >
        {send
          ? 'Each customer gets a mail with the PDF or a text with a link to pay, as they want their papers. Drafts are issued today; what was sent before is sent again. Paid and void ones are left alone.'
          : 'Each customer with an open invoice gets a friendly mail or text with a link to pay, as they want their papers. Who had a reminder within a day is left alone.'}
      </ConfirmDialog>
      <Dialog
        open={left.length > 0}
        onClose={() => {
          setLeft([])
          onDone()
        }}
        title={`${invoices(left.length)} left alone`}
        size="s"
      >
        <ul className="inv-left">
          {left.map((one) => (
            <li key={one.id}>{one.reason}</li>
          ))}
        </ul>
      </Dialog>
    </>
  )
}
