import { useForm } from 'react-hook-form'
import type { Day } from '../../../../shared/dates.ts'
import { formatPhone } from '../../../../shared/phone.ts'
import { Button } from '../../../../ui/Button.tsx'
import { DateField } from '../../../../ui/DateField.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { FieldGrid } from '../../../../ui/FieldGrid.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { TextAreaField } from '../../../../ui/TextAreaField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useToday } from '../../../accounts/web/session.ts'
import type { CustomerConsents } from '../contract.ts'
import { type ConsentHow, consentHowLabels, consentHows } from '../rules.ts'
import { useRecordWord } from './data.ts'

type Address = CustomerConsents['addresses'][number]
type Values = { at: string; how: ConsentHow; on: Day | null; note: string }

const keyOf = ({ channel, address }: Address): string => `${channel} ${address}`
const labelOf = ({ channel, address, name }: Address): string =>
  `${channel === 'sms' ? `Texts to ${formatPhone(address)}` : `E-mail to ${address}`} (${name})`

type Props = {
  customer: { id: string; name: string }
  action: 'grant' | 'revoke'
  /** Those it can be said of. */
  addresses: readonly Address[]
  onClose: () => void
}

/** What somebody said of offers to the office: where, how and when. */
export const WordDialog = ({ customer, action, addresses, onClose }: Props) => {
  const today = useToday()
  const record = useRecordWord(customer.id)
  const [first] = addresses
  const form = useForm<Values>({
    defaultValues: { at: first ? keyOf(first) : '', how: 'phone', on: today, note: '' },
  })
  const agrees = action === 'grant'
  const isText = form.watch('at').startsWith('sms ')
  const submit = async ({ at, how, on, note }: Values) => {
    const chosen = addresses.find((one) => keyOf(one) === at)
    if (!chosen) return form.setError('at', { message: 'Which number or e-mail?' }, { shouldFocus: true })
    if (!on) return form.setError('on', { message: 'On which day did they say it?' }, { shouldFocus: true })
    if (on > today) return form.setError('on', { message: 'That day is still to come.' }, { shouldFocus: true })
    await record.mutateAsync({ channel: chosen.channel, address: chosen.address, action, how, on, note })
    toast.success(agrees ? `Recorded: ${customer.name} agreed to offers` : `Recorded: no more offers there`)
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={agrees ? `${customer.name} agreed to offers` : `${customer.name} wants no more offers`}
      closeOnOutside={false}
    >
      <Form form={form} onSubmit={submit} label={agrees ? 'Agreed to offers' : 'No more offers'}>
        <FieldGrid min={200}>
          <FormField control={form.control} name="at">
            {(f) => (
              <SelectField
                {...f}
                label="Where"
                className="is-whole"
                options={addresses.map((one) => ({ value: keyOf(one), label: labelOf(one) }))}
              />
            )}
          </FormField>
          <FormField control={form.control} name="how">
            {(f) => (
              <SelectField
                {...f}
                label="How they said it"
                options={consentHows.map((value) => ({ value, label: consentHowLabels[value] }))}
              />
            )}
          </FormField>
          <FormField control={form.control} name="on">
            {(f) => <DateField {...f} label="On which day" today={today} max={today} />}
          </FormField>
          <FormField control={form.control} name="note">
            {(f) => (
              <TextAreaField
                {...f}
                label="What they said"
                optional
                rows={2}
                maxLength={500}
                className="is-whole"
                hint={
                  agrees && isText
                    ? 'For offers by text the law asks for a yes in writing: say where the signed form or the message is.'
                    : undefined
                }
              />
            )}
          </FormField>
        </FieldGrid>
        <p className="hint">
          It stays on the record with your name and cannot be changed.{' '}
          {agrees ? 'A STOP of theirs ends it at any time.' : ''}
        </p>
        <FormActions>
          <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
            {agrees ? 'Record that they agreed' : 'Record that they took it back'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}
