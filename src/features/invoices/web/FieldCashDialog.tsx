import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { call } from '../../../shared/client.ts'
import { formatDay } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { formatCents } from '../../../shared/money.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { IconArrowBackUp, IconDownload, IconMail, IconMessage } from '../../../ui/icons.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { MoneyField } from '../../../ui/MoneyField.tsx'
import { MoreMenu } from '../../../ui/MoreMenu.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { doorApi, type FieldCash, type HeldReceipt } from '../../payments/door/contract.ts'
import { differenceLabel, type ReceiptWay, reasonMissing } from '../../payments/door/rules.ts'
import { downloadPaper, useCorrection } from './data.ts'
import { ReasonFields } from './ReasonDialog.tsx'

type Holder = FieldCash['people'][number]
type HandIn = FieldCash['handIns'][number]
/** What the dialog asks before anything else: why a receipt is voided or a hand-in undone. */
type Asking = { kind: 'void'; receipt: HeldReceipt } | { kind: 'undo'; handIn: HandIn } | null

const useHandIns = () => {
  const client = useQueryClient()
  const onSuccess = () => client.invalidateQueries({ queryKey: ['payments'] })
  const confirm = useIdempotentMutation({
    mutationFn: (body: z.input<(typeof doorApi)['handIn']['body']>, idempotencyKey) =>
      call(doorApi.handIn, { body }, { idempotencyKey }),
    onSuccess,
  })
  const undo = useIdempotentMutation({
    mutationFn: ({ id, reason }: { id: string; reason: string }, idempotencyKey) =>
      call(doorApi.undoHandIn, { params: { id }, body: { reason } }, { idempotencyKey }),
    onSuccess,
  })
  return { confirm, undo }
}

const useSendReceipt = () =>
  useIdempotentMutation({
    mutationFn: ({ receiptId, by }: { receiptId: string; by: ReceiptWay }, idempotencyKey) =>
      call(doorApi.sendReceipt, { params: { receiptId }, body: { by } }, { idempotencyKey }),
  })

const ReceiptLine = ({
  receipt,
  ticked,
  onTick,
  onVoid,
  onLeave,
}: {
  receipt: HeldReceipt
  ticked: boolean
  onTick: (on: boolean) => void
  onVoid: () => void
  onLeave: () => void
}) => {
  const send = useSendReceipt()
  const sendBy = (by: ReceiptWay) =>
    send
      .mutateAsync({ receiptId: receipt.id, by })
      .then(() => toast.success(`${receipt.receipt} is on its way to ${receipt.customer.name}`), toast.error)
  return (
    <li>
      <span className="panel-rows__main">
        <CheckboxField
          value={ticked}
          onChange={onTick}
          label={`${receipt.receipt}, ${receipt.method === 'check' ? `check ${receipt.checkNumber}` : 'cash'}`}
        />
        <span className="muted">
          <LinkTo href={linkTo.customer(receipt.customer.id, { part: 'invoices' })} onClick={onLeave}>
            {receipt.customer.name}
          </LinkTo>
          {receipt.street ? ` · ${receipt.street}` : ''} · <RelativeTime at={receipt.collectedAt} /> ·{' '}
          {receipt.reference}
          {receipt.photoUrl ? (
            <>
              {' · '}
              <a href={receipt.photoUrl} target="_blank" rel="noreferrer">
                Photo of the check
              </a>
            </>
          ) : null}
        </span>
      </span>
      <span className="panel-rows__side">
        <b className="num">{formatCents(receipt.amountCents)}</b>
        <MoreMenu
          label={`More for ${receipt.receipt}`}
          items={[
            {
              label: `Receipt ${receipt.receipt}`,
              icon: <IconDownload size={18} />,
              onClick: () => void downloadPaper({ id: receipt.paymentId, name: receipt.receipt }).catch(toast.error),
            },
            { label: 'Send again by e-mail', icon: <IconMail size={18} />, onClick: () => void sendBy('email') },
            { label: 'Send again by text', icon: <IconMessage size={18} />, onClick: () => void sendBy('sms') },
            'line',
            { label: 'Void this receipt', icon: <IconArrowBackUp size={18} />, danger: true, onClick: onVoid },
          ]}
        />
      </span>
    </li>
  )
}

type Values = { countedCents: number | null; reason: string }

const HolderForm = ({
  holder,
  onVoid,
  onLeave,
}: {
  holder: Holder
  onVoid: (receipt: HeldReceipt) => void
  onLeave: () => void
}) => {
  const { confirm } = useHandIns()
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const form = useForm<Values>({ defaultValues: { countedCents: null, reason: '' } })
  const chosen = holder.receipts.filter(({ id }) => !left.has(id))
  const sumOf = (method: HeldReceipt['method']) =>
    chosen.filter((one) => one.method === method).reduce((sum, { amountCents }) => sum + amountCents, 0)
  const [cashCents, checkCents] = [sumOf('cash'), sumOf('check')]
  const counted = form.watch('countedCents')
  const difference = cashCents > 0 && counted !== null ? differenceLabel(cashCents, counted) : null
  const submit = async ({ countedCents, reason }: Values) => {
    if (chosen.length === 0) return form.setError('root', { message: 'Tick at least one receipt that was handed in.' })
    if (cashCents > 0 && countedCents === null)
      return form.setError('countedCents', { message: 'Count the cash and type what is there.' }, { shouldFocus: true })
    const cents = cashCents > 0 ? (countedCents ?? 0) : 0
    if (cents !== cashCents && !reason.trim())
      return form.setError('reason', { message: reasonMissing }, { shouldFocus: true })
    await confirm.mutateAsync({
      userId: holder.userId,
      receiptIds: chosen.map(({ id }) => id),
      countedCents: cents,
      reason: cents === cashCents ? '' : reason,
    })
    toast.success(`${formatCents(cents + checkCents)} from ${holder.name} is in the office`)
    form.reset()
    setLeft(new Set())
  }
  return (
    <Form form={form} onSubmit={submit} label={`Hand-in of ${holder.name}`}>
      <h3>
        {holder.name} holds{' '}
        <span className="num">
          {[
            holder.cashCents > 0 ? formatCents(holder.cashCents) : '',
            holder.checkCount > 0
              ? `${holder.checkCount === 1 ? '1 check' : `${holder.checkCount} checks`} of ${formatCents(holder.checkCents)}`
              : '',
          ]
            .filter(Boolean)
            .join(' and ')}
        </span>
      </h3>
      <ul className="panel-rows">
        {holder.receipts.map((receipt) => (
          <ReceiptLine
            key={receipt.id}
            receipt={receipt}
            ticked={!left.has(receipt.id)}
            onTick={(on) => {
              const next = new Set(left)
              if (on) next.delete(receipt.id)
              else next.add(receipt.id)
              setLeft(next)
              form.clearErrors()
            }}
            onVoid={() => onVoid(receipt)}
            onLeave={onLeave}
          />
        ))}
      </ul>
      {cashCents > 0 ? (
        <FormField control={form.control} name="countedCents">
          {(f) => (
            <MoneyField
              {...f}
              label={`Cash counted from ${holder.name}`}
              hint={
                counted === null
                  ? `The receipts come to ${formatCents(cashCents)}.`
                  : (difference ?? 'It is what the receipts say.')
              }
            />
          )}
        </FormField>
      ) : null}
      {difference ? (
        <FormField control={form.control} name="reason">
          {(f) => (
            <TextField
              {...f}
              label={`Why ${difference}`}
              maxLength={300}
              placeholder="Gave change out of their pocket"
            />
          )}
        </FormField>
      ) : null}
      <FormActions>
        <Button calls={doorApi.handIn} type="submit" kind="primary" loading={form.formState.isSubmitting}>
          {chosen.length === 0
            ? 'Confirm hand-in'
            : `Confirm ${chosen.length === 1 ? '1 receipt' : `${chosen.length} receipts`} handed in`}
        </Button>
      </FormActions>
    </Form>
  )
}

const HandIns = ({ handIns, onUndo }: { handIns: readonly HandIn[]; onUndo: (handIn: HandIn) => void }) =>
  handIns.length === 0 ? null : (
    <section>
      <h3>Handed in</h3>
      <ul className="panel-rows">
        {handIns.map((one) => {
          const difference = differenceLabel(one.cashCents, one.countedCents)
          return (
            <li key={one.id}>
              <span className="panel-rows__main">
                <b>
                  {one.name}, {formatDay(one.onDay)}
                </b>
                <span className="muted">
                  {[
                    one.countedCents > 0 ? `${formatCents(one.countedCents)} in cash` : '',
                    one.checkCount > 0 ? `${one.checkCount === 1 ? '1 check' : `${one.checkCount} checks`}` : '',
                    one.confirmedBy ? `confirmed by ${one.confirmedBy}` : '',
                    difference ? `${difference}: ${one.reason}` : '',
                    one.undone ? `Undone ${formatDay(one.undone.onDay)}: ${one.undone.reason}` : '',
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </span>
              <span className="panel-rows__side">
                <b className="num">{formatCents(one.countedCents + one.checkCents)}</b>
                {one.undone ? (
                  <Badge tone="neutral">Undone</Badge>
                ) : (
                  <Button size="s" calls={doorApi.undoHandIn} onClick={() => onUndo(one)}>
                    Undo
                  </Button>
                )}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )

const VoidReceipt = ({ receipt, onClose }: { receipt: HeldReceipt; onClose: () => void }) => {
  const reverse = useCorrection('reversePayment', receipt.paymentId)
  return (
    <ReasonFields
      intro={
        <>
          {receipt.receipt} over {formatCents(receipt.amountCents)} from {receipt.customer.name} keeps its number and is
          marked as voided. What it paid is open again, and nobody holds this money any more.
        </>
      }
      label="Void receipt"
      placeholder="Typed 450 instead of 45"
      verb={`Void ${receipt.receipt}`}
      danger
      onSend={async (reason) => {
        await reverse.mutateAsync({ reason })
        return `${receipt.receipt} is voided`
      }}
      onClose={onClose}
    />
  )
}

const UndoHandIn = ({ handIn, onClose }: { handIn: HandIn; onClose: () => void }) => {
  const { undo } = useHandIns()
  return (
    <ReasonFields
      intro={
        <>
          {handIn.name} holds {formatCents(handIn.cashCents + handIn.checkCents)} again, as before the office counted
          it. It stays on the record with your reason.
        </>
      }
      label="Undo hand-in"
      placeholder="Confirmed for the wrong person"
      verb="Undo the hand-in"
      danger
      onSend={async (reason) => {
        await undo.mutateAsync({ id: handIn.id, reason })
        return `The hand-in of ${handIn.name} is undone`
      }}
      onClose={onClose}
    />
  )
}

/** Who holds what of the business's money: counted here when it comes in, a difference named, each mistake with a way back. */
export const FieldCashDialog = ({ cash, open, onClose }: { cash: FieldCash; open: boolean; onClose: () => void }) => {
  const [asking, setAsking] = useState<Asking>(null)
  const back = () => setAsking(null)
  const title =
    asking === null
      ? 'Cash in the field'
      : asking.kind === 'void'
        ? `Void ${asking.receipt.receipt}?`
        : `Undo the hand-in of ${asking.handIn.name}?`
  return (
    <Dialog
      open={open}
      onClose={() => {
        back()
        onClose()
      }}
      title={title}
      closeOnOutside={false}
    >
      {asking?.kind === 'void' ? (
        <VoidReceipt receipt={asking.receipt} onClose={back} />
      ) : asking?.kind === 'undo' ? (
        <UndoHandIn handIn={asking.handIn} onClose={back} />
      ) : (
        <div className="inv-panel">
          {cash.people.length === 0 ? (
            <p className="muted">
              Nobody holds money of yours. What crews take at the door stands here until you have counted it.
            </p>
          ) : null}
          {cash.people.map((holder) => (
            <HolderForm
              key={holder.userId}
              holder={holder}
              onVoid={(receipt) => setAsking({ kind: 'void', receipt })}
              onLeave={onClose}
            />
          ))}
          <HandIns handIns={cash.handIns} onUndo={(handIn) => setAsking({ kind: 'undo', handIn })} />
        </div>
      )}
    </Dialog>
  )
}
