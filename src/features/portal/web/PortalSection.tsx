import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { formatCents } from '../../../shared/money.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { CardSkeleton } from '../../../ui/Skeleton.tsx'
import { SwitchField } from '../../../ui/SwitchField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay } from '../../accounts/web/session.ts'
import type { BusinessSettings } from '../../businesses/contract.ts'
import { chargeWords, type SkipRule, skipReasonLabel } from '../../businesses/skips/rules.ts'
import { servicesQuery } from '../../services/web/data.ts'
import { type PortalSettings, portalApi } from '../contract.ts'
import { portalSettingsQuery, useSavePortal } from './data.ts'
import './portal.css'

type Values = Omit<PortalSettings, 'url' | 'version' | 'skipHours' | 'pauseDays'> & {
  skipHours: number | null
  pauseDays: number | null
}

const valuesOf = ({ url: _, version: __, ...rules }: PortalSettings): Values => rules

const ServicePick = ({ value, onChange }: { value: string[]; onChange: (ids: string[]) => void }) => {
  const services = useQuery(servicesQuery).data
  return (
    <fieldset className="portal-services">
      <legend>Services they can ask for</legend>
      {services?.length === 0 ? <p className="muted">Add services to your price book first.</p> : null}
      {(services ?? []).map(({ id, name }) => (
        <CheckboxField
          key={id}
          label={name}
          value={value.includes(id)}
          onChange={(on) => onChange(on ? [...value, id] : value.filter((one) => one !== id))}
        />
      ))}
    </fieldset>
  )
}

const Editor = ({ settings, skipRules }: { settings: PortalSettings; skipRules: readonly SkipRule[] }) => {
  const mayChange = useMay()(portalApi.saveSettings)
  const save = useSavePortal()
  const form = useForm<Values>({ defaultValues: valuesOf(settings) })
  const { control, watch } = form
  const { isDirty, isSubmitting } = form.formState
  const submit = async ({ skipHours, pauseDays, ...values }: Values) => {
    const now = await save.mutateAsync({
      ...values,
      skipHours: skipHours ?? 0,
      pauseDays: pauseDays ?? settings.pauseDays,
      version: settings.version,
    })
    form.reset(valuesOf(now))
    toast.success('Customer portal saved')
  }
  const on = watch('enabled')
  return (
    <Form form={form} onSubmit={submit} label="Customer portal">
      <fieldset className="settings-card__fields" disabled={!mayChange}>
        <FormField control={control} name="enabled">
          {(f) => (
            <SwitchField
              label="Customers can sign in"
              hint="By a link to their e-mail or phone, without a password. They see only what is theirs."
              {...f}
            />
          )}
        </FormField>
        {on ? (
          <>
            <p>
              Your portal: <LinkTo href={settings.url}>{settings.url.replace(/^https?:\/\//, '')}</LinkTo>
            </p>
            <FormField control={control} name="skipAllowed">
              {(f) => <SwitchField label="They can skip a visit" hint="The crew and the office know at once." {...f} />}
            </FormField>
            {watch('skipAllowed') ? (
              <FieldGrid min={220}>
                <FormField control={control} name="skipHours" needed="How many hours?">
                  {(f) => <NumberField label="Until how long before" unit="hours" min={0} max={336} {...f} />}
                </FormField>
                <FormField control={control} name="skipReason">
                  {(f) => (
                    <SelectField
                      label="Reason, and what it costs"
                      hint="The charge of this reason holds; see Skip reasons."
                      options={skipRules.map((rule) => ({
                        value: rule.code,
                        label: `${skipReasonLabel(rule.code)}, ${chargeWords(rule, formatCents)}`,
                      }))}
                      {...f}
                    />
                  )}
                </FormField>
              </FieldGrid>
            ) : null}
            <FormField control={control} name="pauseAllowed">
              {(f) => (
                <SwitchField
                  label="They can pause their service"
                  hint="A visit that is too near to be skipped stays on."
                  {...f}
                />
              )}
            </FormField>
            {watch('pauseAllowed') ? (
              <FormField control={control} name="pauseDays" needed="How many days?">
                {(f) => <NumberField label="At most" unit="days" min={7} max={365} {...f} />}
              </FormField>
            ) : null}
            <FormField control={control} name="requestsAllowed">
              {(f) => (
                <SwitchField
                  label="They can ask for more"
                  hint="It comes as a task with the price that your price book gives for their lawn. Nothing is booked by itself."
                  {...f}
                />
              )}
            </FormField>
            {watch('requestsAllowed') ? (
              <FormField control={control} name="serviceIds">
                {(f) => <ServicePick value={f.value} onChange={f.onChange} />}
              </FormField>
            ) : null}
          </>
        ) : null}
      </fieldset>
      {isDirty && mayChange ? (
        <FormActions>
          <Button calls={portalApi.saveSettings} type="submit" kind="primary" loading={isSubmitting}>
            Save customer portal
          </Button>
          <Button onClick={() => form.reset()} disabled={isSubmitting}>
            Undo
          </Button>
        </FormActions>
      ) : null}
    </Form>
  )
}

/** What customers can do by themselves. */
export const PortalSection = ({ settings }: { settings: BusinessSettings }) => {
  const found = useQuery(portalSettingsQuery)
  return (
    <Card id="portal" flush className="settings-card">
      <div className="settings-card__words">
        <h2>Customer portal</h2>
        <p className="muted">
          Visits with photos, bills, quotes and messages in one place for each customer, in English and Spanish. Fewer
          calls, and nobody has to remember a password.
        </p>
      </div>
      {found.data ? (
        <Editor key={found.data.version} settings={found.data} skipRules={settings.skipRules} />
      ) : found.isError ? (
        <ErrorState
          error={found.error}
          title="We could not load the portal's settings"
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : (
        <CardSkeleton />
      )}
    </Card>
  )
}
