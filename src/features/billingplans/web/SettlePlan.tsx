import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { formatCents } from '../../../shared/money.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { RadioField } from '../../../ui/RadioField.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { isReached, reachWords } from '../../messages/paperways/rules.ts'
import { billingPlansApi, type Plan, type Settlement } from '../contract.ts'
import type { SettleChoice } from '../rules.ts'
import { settlementQuery, usePlanVerb, useSettlePlan } from './data.ts'

type Values = {
  choice: SettleChoice | ''
  reason: string
  atFullPrice: boolean
  send: boolean
  refundMethod: 'check' | 'cash' | 'other'
}

const choiceOf = (choice: SettleChoice, found: Settlement): { label: string; hint: string } => {
  const left = formatCents(Math.abs(found.totalCents))
  const { openCents, refundableCents, totalCents } = found
  const rest = -totalCents - openCents
  const first = openCents > 0 ? `${formatCents(openCents)} is taken off what is open of the plan. ` : ''
  switch (choice) {
    case 'bill':
      return { label: `Bill ${left}`, hint: 'One last invoice, with what was done and what was billed before.' }
    case 'credit':
      return {
        label: `Credit ${left}`,
        hint: `${first}${rest > 0 ? `${formatCents(rest)} waits as their credit.` : ''}`,
      }
    case 'refund':
      return {
        label: `Refund ${formatCents(refundableCents)}`,
        hint: `${first}${
          rest > refundableCents
            ? `${formatCents(rest - refundableCents)} did not come in as money and waits as credit.`
            : 'It goes back as it came in: cards by themselves, the rest as you say.'
        }`,
      }
    case 'carry':
      return { label: 'Carry it over', hint: 'Their next plan takes it over: its months bill so much more or less.' }
    case 'waive':
      return { label: `Let ${left} go`, hint: 'Nothing is billed for it.' }
    case 'none':
      return { label: 'Nothing is left', hint: 'What was done is what was billed.' }
  }
}

/** The sum of it, line by line. */
export const SettlementSums = ({ found }: { found: Settlement }) => (
  <dl className="plan-sums">
    <div>
      <dt>Work done, {found.visits === 1 ? '1 visit' : `${found.visits} visits`}</dt>
      <dd className="num">{formatCents(found.deliveredCents)}</dd>
    </div>
    {found.carryCents !== 0 ? (
      <div>
        <dt>Carried over from the plan before</dt>
        <dd className="num">{formatCents(found.carryCents)}</dd>
      </div>
    ) : null}
    <div>
      <dt>Billed so far, before tax</dt>
      <dd className="num">{formatCents(-found.billedCents)}</dd>
    </div>
    {found.taxCents !== 0 ? (
      <div>
        <dt>Sales tax on the difference</dt>
        <dd className="num">{formatCents(found.taxCents)}</dd>
      </div>
    ) : null}
    <div className="is-strong">
      <dt>{found.totalCents < 0 ? 'Billed too much' : found.totalCents > 0 ? 'Still to bill' : 'Left'}</dt>
      <dd className="num">{formatCents(Math.abs(found.totalCents))}</dd>
    </div>
  </dl>
)

const doneMessage = (plan: Plan): string => {
  const settled = plan.settled
  if (settled?.invoice) return `INV-${settled.invoice.number} is made over ${formatCents(settled.totalCents)}`
  if (settled?.creditNote)
    return settled.refundedCents > 0
      ? `${formatCents(settled.refundedCents)} goes back`
      : `${settled.creditNote} credits ${formatCents(-settled.totalCents)}`
  return `${plan.name} is settled`
}

const Fields = ({ plan, onDone }: { plan: Plan; onDone: () => void }) => {
  const form = useForm<Values>({
    defaultValues: { choice: '', reason: '', atFullPrice: false, send: true, refundMethod: 'check' },
  })
  const [choice, atFullPrice, send] = form.watch(['choice', 'atFullPrice', 'send'])
  const settle = useSettlePlan(plan.id)
  // what was agreed to stays in sight until the dialog closes: settled, nothing of it would be left
  const asked = useQuery({
    ...settlementQuery(plan.id, atFullPrice),
    enabled: !settle.isPending && !settle.isSuccess,
  })
  const undo = usePlanVerb(plan.id)
  const found = asked.data
  if (!found)
    return asked.isError ? (
      <ErrorState
        compact
        error={asked.error}
        title="We could not work out what is left"
        onRetry={() => void asked.refetch()}
        retrying={asked.isFetching}
      />
    ) : (
      <PanelSkeleton />
    )
  const current = found.choices.find((one) => one === choice) ?? found.choices[0] ?? 'none'
  const mails = isReached(found.reach) && ['bill', 'credit', 'refund'].includes(current)
  const byHand = current === 'refund' && found.refunds.some(({ byProvider }) => !byProvider)
  const discounted = plan.seasonCents < plan.listCents
  const submit = async ({ reason, refundMethod }: Values) => {
    if (current === 'waive' && !reason.trim())
      return form.setError('reason', { message: 'Say why: it stands on the record.' }, { shouldFocus: true })
    const after = await settle.mutateAsync({
      choice: current,
      reason: reason.trim(),
      atFullPrice,
      send: send && mails,
      refundMethod,
      expectedTotalCents: found.totalCents,
    })
    if (after.can.undoSettlement) toast.undo(doneMessage(after), () => undo.mutateAsync('undoSettlement'))
    else toast.success(doneMessage(after))
    onDone()
  }
  return (
    <Form form={form} onSubmit={submit} label={`Settle ${plan.name}`}>
      <SettlementSums found={found} />
      {discounted ? (
        <FormField control={form.control} name="atFullPrice">
          {(f) => (
            <CheckboxField
              {...f}
              label="Count the work at its full prices"
              hint={`The agreed discount goes: the work done comes to ${formatCents(found.fullCents)} instead.`}
            />
          )}
        </FormField>
      ) : null}
      <RadioField
        label="What to do with it"
        name="choice"
        value={current}
        onChange={(value) => form.setValue('choice', value)}
        options={found.choices.map((value) => ({ value, ...choiceOf(value, found) }))}
      />
      {byHand ? (
        <FormField control={form.control} name="refundMethod">
          {(f) => (
            <RadioField
              {...f}
              row
              label="Cash and checks go back by"
              options={[
                { value: 'check', label: 'Check' },
                { value: 'cash', label: 'Cash' },
                { value: 'other', label: 'Another way' },
              ]}
            />
          )}
        </FormField>
      ) : null}
      <FormField control={form.control} name="reason">
        {(f) => (
          <TextField
            {...f}
            label="Why it ends"
            optional={current !== 'waive'}
            maxLength={300}
            placeholder="Moved away"
          />
        )}
      </FormField>
      {mails ? (
        <FormField control={form.control} name="send">
          {(f) => (
            <CheckboxField
              {...f}
              label={`Send it to ${reachWords(found.reach, formatPhone)} now`}
              hint={
                current === 'refund'
                  ? 'Money that went back is not taken back.'
                  : 'What was sent cannot be undone. Without it you can still undo.'
              }
            />
          )}
        </FormField>
      ) : null}
      <p className="hint">
        {found.monthsLeft.count > 0
          ? `${found.monthsLeft.count === 1 ? 'The month' : `The ${found.monthsLeft.count} months`} still to come, ${formatCents(found.monthsLeft.cents)}, ${found.monthsLeft.count === 1 ? 'is' : 'are'} not billed any more. `
          : ''}
        The jobs go on: what is done from now on is billed by the visit.
      </p>
      <FormActions>
        <Button
          calls={billingPlansApi.settle}
          type="submit"
          kind={current === 'refund' ? 'danger' : 'primary'}
          loading={form.formState.isSubmitting || settle.isSuccess}
          disabled={asked.isPlaceholderData}
        >
          {current === 'none' ? 'End the plan' : `${choiceOf(current, found).label} and end the plan`}
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

/** A plan ends: the difference of what was done and what was billed, to the cent, before anything is booked. */
export const SettlePlan = ({ plan, open, onClose }: { plan: Plan; open: boolean; onClose: () => void }) => (
  <Dialog
    open={open}
    onClose={onClose}
    title={`${plan.isOver ? 'Settle' : 'Cancel and settle'} ${plan.name}`}
    closeOnOutside={false}
  >
    <Fields key={String(open)} plan={plan} onDone={onClose} />
  </Dialog>
)
