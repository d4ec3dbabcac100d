import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { hubPath } from '../../../shared/paths.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { CardSkeleton } from '../../../ui/Skeleton.tsx'
import { SwitchField } from '../../../ui/SwitchField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { type ReviewSettings, reviewSettingsApi } from '../contract.ts'
import { reviewSettingsQuery, useSaveReviewSettings } from './data.ts'

type Values = Omit<ReviewSettings, 'version' | 'delayHours' | 'everyDays'> & {
  delayHours: number | null
  everyDays: number | null
}

const valuesOf = ({ version: _, ...rules }: ReviewSettings): Values => rules

const Editor = ({ settings }: { settings: ReviewSettings }) => {
  const mayChange = useMay()(reviewSettingsApi.save)
  const save = useSaveReviewSettings()
  const form = useForm<Values>({ defaultValues: valuesOf(settings) })
  const { control, watch } = form
  const { isDirty, isSubmitting } = form.formState
  const submit = async ({ delayHours, everyDays, ...values }: Values) => {
    const now = await save.mutateAsync({
      ...values,
      delayHours: delayHours ?? settings.delayHours,
      everyDays: everyDays ?? settings.everyDays,
      version: settings.version,
    })
    form.reset(valuesOf(now))
    toast.success('Reviews saved')
  }
  return (
    <Form form={form} onSubmit={submit} label="Reviews">
      <fieldset className="settings-card__fields" disabled={!mayChange}>
        <FormField control={control} name="enabled">
          {(f) => (
            <SwitchField
              label="Ask customers after a visit"
              hint="Not who waits for a call, wrote to you, or said no. Visits done before you switch it on are not asked about."
              {...f}
            />
          )}
        </FormField>
        {watch('enabled') ? (
          <>
            <FieldGrid min={220}>
              <FormField control={control} name="delayHours" needed="How many hours?">
                {(f) => <NumberField label="How long after the visit" unit="hours" min={1} max={168} {...f} />}
              </FormField>
              <FormField control={control} name="everyDays" needed="How many days?">
                {(f) => <NumberField label="Each customer at most every" unit="days" min={30} max={730} {...f} />}
              </FormField>
            </FieldGrid>
            <FormField control={control} name="googleUrl">
              {(f) => (
                <TextField
                  label="Your page for reviews on Google"
                  optional
                  hint="Offered to everybody who answered, whatever their stars."
                  placeholder="https://g.page/r/…/review"
                  {...f}
                />
              )}
            </FormField>
            <p>
              What they say: <LinkTo href={hubPath('customers', 'reviews')}>Reviews</LinkTo>
            </p>
          </>
        ) : null}
      </fieldset>
      {isDirty && mayChange ? (
        <FormActions>
          <Button calls={reviewSettingsApi.save} type="submit" kind="primary" loading={isSubmitting}>
            Save reviews
          </Button>
          <Button onClick={() => form.reset()} disabled={isSubmitting}>
            Undo
          </Button>
        </FormActions>
      ) : null}
    </Form>
  )
}

/** Whether and when customers are asked how a visit was. */
export const ReviewsSection = () => {
  const found = useQuery(reviewSettingsQuery)
  return (
    <Card id="reviews" flush className="settings-card">
      <div className="settings-card__words">
        <h2>Reviews</h2>
        <p className="muted">
          A short question by text or e-mail, in English or Spanish. Customers decide whether their answer stands on
          your public page; few stars come to you at once. Who would have been asked last month: the dry run under{' '}
          <LinkTo href={hubPath('customers', 'automations')}>Automations</LinkTo>.
        </p>
      </div>
      {found.data ? (
        <Editor key={found.data.version} settings={found.data} />
      ) : found.isError ? (
        <ErrorState
          error={found.error}
          title="We could not load the settings of reviews"
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : (
        <CardSkeleton />
      )}
    </Card>
  )
}
