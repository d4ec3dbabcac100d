import { useForm } from 'react-hook-form'
import { formatMinute, weekdayNames } from '../../../shared/dates.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { monthDayLabel } from '../../businesses/autoinvoices/rules.ts'
import { type MailingDraft, type ReportList, reportsApi, type SavedReport } from '../contract.ts'
import { formatLabels, kindInfo, type ReportFormat, reportFormats, type rhythms, whenText } from '../rules.ts'
import { useMailReport } from './data.ts'

type Values = {
  mailing: {
    rhythm: (typeof rhythms)[number]
    weekday: string
    monthDay: string
    hour: string
    formats: ReportFormat[]
    userIds: string[]
    emails: string
  }
}
type Props = { saved: SavedReport; recipients: ReportList['choices']['recipients']; onClose: () => void }

const toggled = <T,>(list: readonly T[], one: T, on: boolean): T[] =>
  on ? [...list.filter((other) => other !== one), one] : list.filter((other) => other !== one)

/** When a saved report goes out by mail, and to whom. */
export const MailDialog = ({ saved, recipients, onClose }: Props) => {
  const { mailing } = saved
  // who left or may not have it any more is no choice, so nobody is stopped by a name that cannot be taken out
  const offered = recipients.filter(({ kinds }) => kinds.includes(saved.kind))
  const form = useForm<Values>({
    defaultValues: {
      mailing: {
        rhythm: mailing?.rhythm ?? 'monthly',
        weekday: String(mailing?.weekday ?? 1),
        monthDay: String(mailing?.monthDay ?? 1),
        hour: String(mailing?.hour ?? 7),
        formats: mailing?.formats ?? ['pdf', 'xlsx'],
        userIds: mailing?.userIds.filter((one) => offered.some(({ id }) => id === one)) ?? [],
        emails: mailing?.emails.join(', ') ?? '',
      },
    },
  })
  const mail = useMailReport()
  const rhythm = form.watch('mailing.rhythm')
  const send = async (draft: MailingDraft | null) => {
    const made = await mail.mutateAsync({ params: { id: saved.id }, body: { version: saved.version, mailing: draft } })
    toast.success(made.mailing ? whenText(made.mailing) : `“${made.name}” is mailed no more`)
    onClose()
  }
  const submit = ({ mailing: values }: Values) =>
    send({
      rhythm: values.rhythm,
      weekday: Number(values.weekday),
      monthDay: Number(values.monthDay),
      hour: Number(values.hour),
      formats: values.formats,
      userIds: values.userIds,
      emails: values.emails
        .split(/[\s,;]+/)
        .map((one) => one.trim())
        .filter(Boolean),
    })
  return (
    <Dialog open onClose={onClose} title={`Send “${saved.name}” by mail`}>
      <Form form={form} onSubmit={submit} label="Send by mail">
        {mailing && mailing.gone.length > 0 ? (
          <Banner tone="warn">
            {mailing.gone.join(', ')} {mailing.gone.length === 1 ? 'gets' : 'get'} none any more: who has left the
            office or may not see “{kindInfo[saved.kind].title}” is taken out when you save.
          </Banner>
        ) : null}
        {saved.settings.period === 'custom' ? (
          <Banner tone="warn">
            This report is of chosen days, so each mail has the same ones. Choose another period and save that, and each
            mail has new days.
          </Banner>
        ) : null}
        <FieldGrid min={150}>
          <FormField name="mailing.rhythm" control={form.control}>
            {(field) => (
              <SelectField
                label="How often"
                {...field}
                options={[
                  { value: 'weekly', label: 'Every week' },
                  { value: 'monthly', label: 'Every month' },
                ]}
              />
            )}
          </FormField>
          {rhythm === 'weekly' ? (
            <FormField name="mailing.weekday" control={form.control}>
              {(field) => (
                <SelectField
                  label="On"
                  {...field}
                  options={weekdayNames.map((label, at) => ({ value: String(at), label }))}
                />
              )}
            </FormField>
          ) : (
            <FormField name="mailing.monthDay" control={form.control}>
              {(field) => (
                <SelectField
                  label="On"
                  {...field}
                  options={Array.from({ length: 31 }, (_, at) => ({
                    value: String(at + 1),
                    label: monthDayLabel(at + 1),
                  }))}
                />
              )}
            </FormField>
          )}
          <FormField name="mailing.hour" control={form.control}>
            {(field) => (
              <SelectField
                label="At"
                {...field}
                options={Array.from({ length: 24 }, (_, hour) => ({
                  value: String(hour),
                  label: formatMinute(hour * 60),
                }))}
              />
            )}
          </FormField>
        </FieldGrid>
        <FormField name="mailing.formats" control={form.control}>
          {({ value, onChange, error }) => (
            <fieldset className="rp-picks">
              <legend>Attached as</legend>
              {reportFormats.map((format) => (
                <CheckboxField
                  key={format}
                  label={formatLabels[format]}
                  value={value.includes(format)}
                  onChange={(on) => onChange(toggled(value, format, on))}
                />
              ))}
              {error ? <p role="alert">{error}</p> : null}
            </fieldset>
          )}
        </FormField>
        <FormField name="mailing.userIds" control={form.control}>
          {({ value, onChange, error }) => (
            <fieldset className="rp-picks">
              <legend>To people of the office</legend>
              {offered.map(({ id, name }) => (
                <CheckboxField
                  key={id}
                  label={name}
                  value={value.includes(id)}
                  onChange={(on) => onChange(toggled(value, id, on))}
                />
              ))}
              {error ? <p role="alert">{error}</p> : null}
            </fieldset>
          )}
        </FormField>
        <FormField name="mailing.emails" control={form.control}>
          {(field) => (
            <TextField
              label="And to other addresses"
              hint="Your accountant, for example. Several with commas between. Their files hold what you may see yourself."
              autoComplete="off"
              {...field}
            />
          )}
        </FormField>
        <FormActions>
          <Button kind="primary" type="submit" loading={mail.isPending} calls={reportsApi.mail}>
            {mailing ? 'Save' : 'Send it from now on'}
          </Button>
          {mailing ? (
            <Button kind="danger" onClick={() => void send(null).catch(toast.error)}>
              Stop the mails
            </Button>
          ) : null}
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}
