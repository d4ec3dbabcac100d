import { useState } from 'react'
import { ApiError } from '../../../../shared/client.ts'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { CheckboxField } from '../../../../ui/CheckboxField.tsx'
import { DateField } from '../../../../ui/DateField.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { FieldGrid } from '../../../../ui/FieldGrid.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { NumberField } from '../../../../ui/NumberField.tsx'
import { RadioField } from '../../../../ui/RadioField.tsx'
import { TextAreaField } from '../../../../ui/TextAreaField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { type RunRecord, renewalsApi } from '../contract.ts'
import type { Raise } from '../rules.ts'
import { useUpdateRun } from './data.ts'
import { RaiseFields } from './RaiseFields.tsx'

/** What holds for the whole list; prices of single customers stay. */
export const EditRun = ({ run, onClose }: { run: RunRecord; onClose: () => void }) => {
  const [name, setName] = useState(run.name)
  const [raise, setRaise] = useState<Raise>(run.raise)
  const [prepay, setPrepay] = useState<number | null>(run.prepayPercent === 0 ? null : run.prepayPercent / 100)
  const [mode, setMode] = useState(run.mode)
  const [answerBy, setAnswerBy] = useState<string | null>(run.answerBy)
  const [byMail, setByMail] = useState(run.byMail)
  const [byText, setByText] = useState(run.byText)
  const [message, setMessage] = useState(run.message)
  const [terms, setTerms] = useState(run.terms)
  const update = useUpdateRun()
  const wrong = new Map(
    update.error instanceof ApiError ? update.error.errors.map(({ path, message: text }) => [path, text]) : [],
  )
  const submit = async () => {
    await update.mutateAsync({
      params: { id: run.id },
      body: {
        version: run.version,
        name,
        raise: raise as never,
        prepayPercent: Math.round((prepay ?? 0) * 100),
        mode,
        ...(answerBy ? { answerBy } : {}),
        byMail,
        byText,
        message,
        terms,
      },
    })
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title="Prices and words" size="l" closeOnOutside={false}>
      <div className="qt-form">
        <TextField label="Name of this renewal" value={name} onChange={setName} maxLength={120} />
        <RaiseFields value={raise} onChange={setRaise} error={wrong.get('raise.value')} />
        <FieldGrid min={190}>
          <NumberField
            label="Less for who pays the season ahead"
            optional
            unit="%"
            min={0}
            max={50}
            step={0.5}
            value={prepay}
            onChange={setPrepay}
            error={wrong.get('prepayPercent')}
          />
          <DateField label="Last day to answer" value={answerBy} onChange={setAnswerBy} error={wrong.get('answerBy')} />
        </FieldGrid>
        <RadioField
          label="Without an answer"
          row
          value={mode}
          onChange={setMode}
          options={[
            { value: 'ask', label: 'It does not renew' },
            { value: 'auto', label: 'It renews by itself' },
          ]}
        />
        <div className="rn-ways">
          <CheckboxField label="By e-mail" value={byMail} onChange={setByMail} error={wrong.get('byMail')} />
          <CheckboxField label="By text" value={byText} onChange={setByText} />
        </div>
        <TextAreaField label="Message" optional rows={3} value={message} onChange={setMessage} maxLength={2000} />
        <TextAreaField label="Terms" optional rows={3} value={terms} onChange={setTerms} maxLength={8000} />
        {update.error && wrong.size === 0 ? <Banner tone="error">{update.error.message}</Banner> : null}
        <FormActions>
          <Button
            calls={renewalsApi.update}
            kind="primary"
            loading={update.isPending}
            disabled={name.trim() === ''}
            onClick={() => void submit().catch(() => undefined)}
          >
            Save
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </div>
    </Dialog>
  )
}
