import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { linkTo } from '../../../../shared/links.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { CheckboxField } from '../../../../ui/CheckboxField.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import { RelativeTime } from '../../../../ui/RelativeTime.tsx'
import { TextAreaField } from '../../../../ui/TextAreaField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useMay, useUser } from '../../../accounts/web/session.ts'
import { checksApi, type TruckDefect } from '../contract.ts'
import { defectTitle } from '../rules.ts'
import { useChecks } from './data.ts'

const Settle = ({ defect, onClose }: { defect: TruckDefect; onClose: () => void }) => {
  const { settle } = useChecks()
  const out = defect.equipment?.out ?? false
  const keptOut = defect.equipment?.keptOut ?? null
  const form = useForm({ defaultValues: { note: '', back: out && defect.stops && keptOut === null } })
  const submit = async (values: { note: string; back: boolean }) => {
    await settle.mutateAsync({ defectId: defect.id, ...values })
    toast.success(values.back ? `${defect.equipment?.name ?? 'It'} is in service again` : 'The defect is dealt with')
    onClose()
  }
  return (
    <Form form={form} onSubmit={submit} label="Deal with the defect">
      <FormField control={form.control} name="note">
        {(f) => <TextAreaField label="What was done" optional rows={2} maxLength={500} autoFocus {...f} />}
      </FormField>
      {out && keptOut !== null ? (
        <p className="hint">
          {defect.equipment?.name} stays out of service: {keptOut}
        </p>
      ) : null}
      {out && keptOut === null ? (
        <FormField control={form.control} name="back">
          {(f) => <CheckboxField label={`${defect.equipment?.name ?? 'It'} is in service again`} {...f} />}
        </FormField>
      ) : null}
      <FormActions>
        <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
          Dealt with
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

/** What crews found wrong, each with its photos and the way to settle it. */
export const Defects = ({ defects, named = true }: { defects: readonly TruckDefect[]; named?: boolean }) => {
  const [settling, setSettling] = useState<TruckDefect | null>(null)
  const may = useMay()(checksApi.settle)
  const { timeZone } = useUser().business
  return (
    <>
      <ul className="eq-defects">
        {defects.map((defect) => (
          <li key={defect.id}>
            <div className="eq-defects__words">
              <span className="eq-line">
                {named && defect.equipment ? (
                  <LinkTo href={linkTo.equipment(defect.equipment.id)}>
                    {defectTitle({ equipment: defect.equipment.name, item: defect.item })}
                  </LinkTo>
                ) : (
                  <b>{defect.item}</b>
                )}
                {defect.stops ? <Badge tone="late">cannot be used</Badge> : null}
              </span>
              {defect.note ? <span>{defect.note}</span> : null}
              <span className="hint">
                {[defect.by, defect.crew?.name].filter(Boolean).join(', ')} ·{' '}
                <RelativeTime at={defect.foundAt} timeZone={timeZone} />
              </span>
              {defect.photos.length > 0 ? (
                <span className="eq-photos">
                  {defect.photos.map(({ id, url }, at) =>
                    url ? (
                      <a key={id} href={url} target="_blank" rel="noreferrer">
                        <img src={url} alt={`${defect.item}, ${at + 1}`} loading="lazy" />
                      </a>
                    ) : (
                      <span key={id} className="hint">
                        A photo is on its way
                      </span>
                    ),
                  )}
                </span>
              ) : null}
            </div>
            {may ? (
              <Button size="s" aria-label={`Deal with it: ${defect.item}`} onClick={() => setSettling(defect)}>
                Deal with it
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      <Dialog
        open={settling !== null}
        onClose={() => setSettling(null)}
        title={settling ? defectTitle({ equipment: settling.equipment?.name ?? null, item: settling.item }) : ''}
        size="s"
      >
        {settling ? <Settle key={settling.id} defect={settling} onClose={() => setSettling(null)} /> : null}
      </Dialog>
    </>
  )
}
