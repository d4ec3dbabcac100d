import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { useOwner } from '../../owner/web/session.ts'
import type { Coupon } from '../../subscriptions/coupons/contract.ts'
import { couponsQuery, isLive, useCreateCoupon, useEndCoupon } from './data.ts'
import { useNotify } from './notice.ts'

const Row = ({ coupon }: { coupon: Coupon }) => {
  const [asking, setAsking] = useState(false)
  const end = useEndCoupon()
  const notify = useNotify()
  const live = isLive(coupon)
  return (
    <li>
      <span className="desk-plans__words">
        <b>{coupon.code}</b>
        <span className="hint num">
          {coupon.percentOff}% off the first month · used {coupon.uses}
          {coupon.maxUses === null ? '' : ` of ${coupon.maxUses}`}
        </span>
      </span>
      <span className="desk-talk__acts">
        <Badge tone={live ? 'done' : 'neutral'}>{live ? 'Live' : 'Ended'}</Badge>
        {live ? (
          <Button size="s" kind="quiet" onClick={() => setAsking(true)}>
            End<span className="ui-hidden"> {coupon.code}</span>
          </Button>
        ) : null}
      </span>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`End ${coupon.code}?`}
        confirmLabel="End coupon"
        danger
        onConfirm={async () => {
          await end.mutateAsync(coupon.code)
          notify('done', `Coupon ${coupon.code} ended`)
        }}
      >
        Nobody can use it from now on. Who used it keeps the discount.
      </ConfirmDialog>
    </li>
  )
}

/** The codes that checkouts take: made here, ended here. */
export const CouponSettings = () => {
  const { ask } = useOwner()
  const found = useQuery(couponsQuery(ask))
  const create = useCreateCoupon()
  const notify = useNotify()
  const form = useForm({ defaultValues: { code: '', percentOff: 15 as number | null, maxUses: null as number | null } })
  if (found.isError && !found.data)
    return <ErrorState compact error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
  if (!found.data) return <PanelSkeleton />
  const { coupons } = found.data
  return (
    <>
      {coupons.length === 0 ? (
        <p className="hint">No coupon yet. Make the first one: 15% off the first month.</p>
      ) : (
        <ul className="desk-plans">
          {coupons.map((coupon) => (
            <Row key={coupon.code} coupon={coupon} />
          ))}
        </ul>
      )}
      <Form
        form={form}
        label="New coupon"
        onSubmit={async ({ code, percentOff, maxUses }) => {
          const made = await create.mutateAsync({ code, percentOff: percentOff ?? 15, maxUses })
          notify('done', `Coupon ${made.code} made`)
          form.reset()
        }}
      >
        <FieldGrid min={140}>
          <FormField control={form.control} name="code">
            {(field) => <TextField label="Code" placeholder="SPRING15" maxLength={40} spellCheck={false} {...field} />}
          </FormField>
          <FormField control={form.control} name="percentOff" needed="How many percent?">
            {(field) => <NumberField label="Off the first month" unit="%" min={1} max={100} {...field} />}
          </FormField>
          <FormField control={form.control} name="maxUses">
            {(field) => <NumberField label="Most uses" optional min={1} {...field} />}
          </FormField>
        </FieldGrid>
        <FormActions>
          <Button type="submit" loading={form.formState.isSubmitting}>
            Make coupon
          </Button>
        </FormActions>
      </Form>
    </>
  )
}
