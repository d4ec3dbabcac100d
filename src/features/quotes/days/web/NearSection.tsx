import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { Button } from '../../../../ui/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { FieldGrid } from '../../../../ui/FieldGrid.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { NumberField } from '../../../../ui/NumberField.tsx'
import { CardSkeleton } from '../../../../ui/Skeleton.tsx'
import { SwitchField } from '../../../../ui/SwitchField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useMay } from '../../../accounts/web/session.ts'
import { type QuoteRules, quoteDaysApi } from '../contract.ts'
import { quoteRulesQuery, useSetQuoteRules } from './data.ts'

type Values = { percent: number | null; minutes: number | null; offersDay: boolean }

const valuesOf = ({ densityPercent, densityMinutes, offersDay }: QuoteRules): Values => ({
  percent: densityPercent === 0 ? null : densityPercent / 100,
  minutes: densityMinutes,
  offersDay,
})

const Editor = ({ saved }: { saved: QuoteRules }) => {
  const mayChange = useMay()(quoteDaysApi.setRules)
  const save = useSetQuoteRules()
  const form = useForm<Values>({ defaultValues: valuesOf(saved) })
  const { control } = form
  const { isDirty, isSubmitting } = form.formState
  const submit = async ({ percent, minutes, offersDay }: Values) => {
    const now = await save.mutateAsync({
      densityPercent: Math.round((percent ?? 0) * 100),
      densityMinutes: minutes ?? 0,
      offersDay,
      version: saved.version,
    })
    form.reset(valuesOf(now))
    toast.success('Saved for the next quotes')
  }
  return (
    <Form form={form} onSubmit={submit} label="Quotes close to a route">
      <fieldset className="settings-card__fields" disabled={!mayChange}>
        <FieldGrid min={180}>
          <FormField control={control} name="percent">
            {(f) => (
              <NumberField
                label="Off"
                optional
                unit="%"
                min={0}
                max={50}
                step={0.5}
                hint="Empty: nothing is off."
                {...f}
              />
            )}
          </FormField>
          <FormField control={control} name="minutes" needed="How many minutes?">
            {(f) => <NumberField label="Where a visit adds at most" unit="min" min={0} max={120} step={1} {...f} />}
          </FormField>
        </FieldGrid>
        <FormField control={control} name="offersDay">
          {(f) => (
            <SwitchField
              label="Customers read which day it would be"
              hint="“Your day would be Tuesday, when our crew is in your neighborhood.”"
              {...f}
            />
          )}
        </FormField>
      </fieldset>
      {isDirty && mayChange ? (
        <FormActions>
          <Button calls={quoteDaysApi.setRules} type="submit" kind="primary" loading={isSubmitting}>
            Save
          </Button>
          <Button onClick={() => form.reset(valuesOf(saved))} disabled={isSubmitting}>
            Undo
          </Button>
        </FormActions>
      ) : null}
    </Form>
  )
}

/** What is off for a place that crews pass anyway; only who sees money has it. */
export const NearSection = () => {
  const may = useMay()(quoteDaysApi.rules)
  const found = useQuery({ ...quoteRulesQuery, enabled: may })
  if (!may) return null
  if (!found.data && !found.isError) return <CardSkeleton />
  return (
    <Card id="near" flush className="settings-card">
      <div className="settings-card__words">
        <h2>Quotes close to a route</h2>
        <p className="muted">
          The builder ranks the days by the driving that a new place adds. Here is what is off where crews pass anyway.
        </p>
      </div>
      {found.data ? (
        <Editor key={found.data.version} saved={found.data} />
      ) : (
        <ErrorState compact error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
      )}
    </Card>
  )
}
