import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { call } from '../../../shared/client.ts'
import { formatMinute } from '../../../shared/dates.ts'
import { Button } from '../../../ui/Button.tsx'
import { typeInto, useDraft } from '../../../ui/drafts.ts'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { labelIn } from '../../../ui/TwoAnswers.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useVersioned } from '../../../ui/useVersioned.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { type Automation, automationsApi } from '../contract.ts'
import { AutomationFields } from './AutomationFields.tsx'
import { approvalOptions, balanceOptions, read, toChange, type Values, wayOptions } from './automationValues.ts'
import { useUpdateAutomation } from './data.ts'

const listed = (values: readonly string[]): string => values.join(', ') || 'everybody'

/** The form of one that there is. */
export const AutomationForm = ({
  automation,
  onDirty,
}: {
  automation: Automation
  onDirty: (dirty: boolean) => void
}) => {
  const mayChange = useMay()(automationsApi.update)
  const form = useForm<Values>({ defaultValues: read(automation) })
  const { isDirty, isSubmitting } = form.formState
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever asks is told once for each change
  useEffect(() => onDirty(isDirty), [isDirty])
  const update = useUpdateAutomation()
  const { save, dialog, opened, reopen, refill } = useVersioned<Automation, Values>({
    record: automation,
    read,
    load: () => call(automationsApi.get, { params: { id: automation.id } }),
    words: {
      name: 'Name',
      delay: 'How long',
      atMinute: { label: 'At', show: (minute) => (minute === null ? null : formatMinute(minute)) },
      startsOn: 'Each year on',
      ways: { label: 'How', show: labelIn(wayOptions) },
      approval: { label: 'Leaves', show: labelIn(approvalOptions) },
      everyDays: 'At most every so many days',
      subjectEn: 'Subject, English',
      subjectEs: 'Subject, Spanish',
      textEn: 'Words, English',
      textEs: 'Words, Spanish',
      tags: { label: 'Tags', show: listed },
      cities: { label: 'Cities', show: listed },
      stages: { label: 'Stages', show: listed },
      serviceIds: { label: 'Services', show: (ids) => `${ids.length} chosen` },
      balance: { label: 'Balance', show: labelIn(balanceOptions) },
      leastLawnSquareFeet: 'Lawns from',
    },
    live: { dirty: isDirty, fill: (now) => form.reset(read(now)) },
  })
  const forget = useDraft<Values, Automation>(`automation-${automation.id}`, {
    form,
    base: () => read(opened ?? automation),
    record: opened ?? automation,
    restore: ({ mine, record }) => {
      reopen(record)
      typeInto(form, mine)
    },
  })
  const submit = (values: Values) =>
    save(values, async (mine, over, also) => {
      const body = { ...toChange(over, { ...read(over), ...mine }), version: over.version }
      const saved = await update.mutateAsync({ params: { id: automation.id }, body })
      refill(saved)
      form.reset(read(saved))
      forget()
      toast.success(`${saved.name} is saved${also}`)
    })
  return (
    <Form form={form} onSubmit={submit} label={automation.name}>
      <AutomationFields of={automation.kind} form={form} mayChange={mayChange} />
      {isDirty && mayChange ? (
        <FormActions>
          <Button calls={automationsApi.update} type="submit" kind="primary" loading={isSubmitting}>
            Save automation
          </Button>
          <Button onClick={() => form.reset(read(automation))} disabled={isSubmitting}>
            Undo
          </Button>
        </FormActions>
      ) : null}
      {dialog}
    </Form>
  )
}
