import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { MoneyField } from '../../../ui/MoneyField.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { isReached, reachWords, unreachedWords } from '../../messages/paperways/rules.ts'
import { billingPlansApi, type ChangePreview, type Plan } from '../contract.ts'
import { changeQuery, useChangePlan, usePlanVerb } from './data.ts'
import { WorkList } from './WorkList.tsx'

type Values = { reason: string; tell: boolean }

const Months = ({ months }: { months: ChangePreview['months'] }) => (
  <table className="plan-months">
    <thead>
      <tr>
        <th scope="col">Billed on</th>
        <th scope="col">Was</th>
        <th scope="col">Will be, before tax</th>
      </tr>
    </thead>
    <tbody>
      {months.map(({ month, billOn, beforeCents, cents }) => (
        <tr key={month}>
          <td>{formatDay(billOn, { year: true })}</td>
          <td className="num">{formatCents(beforeCents)}</td>
          <td className="num">
            <b>{formatCents(cents)}</b>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

const Fields = ({ plan, onDone }: { plan: Plan; onDone: () => void }) => {
  const [lineIds, setLineIds] = useState<string[] | null>(null)
  const [seasonCents, setSeasonCents] = useState<number | null>(null)
  const form = useForm<Values>({ defaultValues: { reason: '', tell: true } })
  const asked = useQuery(
    changeQuery(plan.id, { ...(lineIds ? { lineIds } : {}), ...(seasonCents ? { seasonCents } : {}) }),
  )
  const change = useChangePlan(plan.id)
  const undo = usePlanVerb(plan.id)
  const found = asked.data
  if (!found)
    return asked.isError ? (
      <ErrorState
        compact
        error={asked.error}
        title="We could not look at the work of this plan"
        onRetry={() => void asked.refetch()}
        retrying={asked.isFetching}
      />
    ) : (
      <PanelSkeleton />
    )
  const submit = async ({ reason, tell }: Values) => {
    if (found.problem) return
    if (!reason.trim())
      return form.setError(
        'reason',
        { message: 'Say why: it stands on the record, and the customer reads it.' },
        { shouldFocus: true },
      )
    const after = await change.mutateAsync({
      version: plan.version,
      lineIds: found.lines.filter(({ covered }) => covered).map(({ lineId }) => lineId),
      seasonCents: found.seasonCents,
      reason: reason.trim(),
      tell: tell && isReached(found.reach),
      expectedListCents: found.listCents,
    })
    toast.undo(`${plan.name} is ${formatCents(after.seasonCents)} now`, () =>
      undo.mutateAsync({ undoChange: after.version }),
    )
    onDone()
  }
  return (
    <Form form={form} onSubmit={submit} label={`Change ${plan.name}`}>
      <WorkList
        lines={found.lines}
        onChange={(ids) => {
          setLineIds(ids)
          setSeasonCents(null)
        }}
      />
      <MoneyField
        label="Season total before tax"
        name="seasonCents"
        value={seasonCents ?? found.seasonCents}
        onChange={setSeasonCents}
        refuse={(cents) => (cents <= 0 ? 'More than $0.00.' : null)}
        hint={`It was ${formatCents(found.beforeCents)}. The work comes to ${formatCents(found.listCents)} now; ${formatCents(found.billedCents)} is billed.`}
      />
      {found.problem ? (
        <p role="alert" className="plan-problem">
          {found.problem}
        </p>
      ) : (
        <section
          aria-label="Months that are left"
          className={asked.isPlaceholderData ? 'plan-preview is-old' : 'plan-preview'}
        >
          <Months months={found.months} />
        </section>
      )}
      <FormField control={form.control} name="reason">
        {(f) => <TextField {...f} label="Why" maxLength={300} placeholder="Mowing is $60 from May on." />}
      </FormField>
      {isReached(found.reach) ? (
        <FormField control={form.control} name="tell">
          {(f) => <CheckboxField {...f} label={`Send the new months to ${reachWords(found.reach, formatPhone)}`} />}
        </FormField>
      ) : (
        <p className="hint">
          {plan.customer.name} {unreachedWords(found.reach)}: tell them yourself.
        </p>
      )}
      <FormActions>
        <Button
          calls={billingPlansApi.change}
          type="submit"
          kind="primary"
          loading={form.formState.isSubmitting}
          disabled={found.problem !== null || asked.isPlaceholderData}
        >
          Change {found.months.length === 1 ? 'the month' : `the ${found.months.length} months`} left
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

/** Another total or other work for the months that are left; what was billed stays. */
export const ChangePlan = ({ plan, open, onClose }: { plan: Plan; open: boolean; onClose: () => void }) => (
  <Dialog open={open} onClose={onClose} title={`Change ${plan.name}`} size="l" closeOnOutside={false}>
    <Fields key={String(open)} plan={plan} onDone={onClose} />
  </Dialog>
)
