import { useState } from 'react'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import {
  type Content,
  isChosen,
  isWritten,
  longestSubject,
  longestText,
  type Words,
  wordsProblem,
} from '../content/rules.ts'
import { type Campaign, campaignsApi } from '../contract.ts'
import type { Variant } from '../rules.ts'
import { BlockEditor } from './BlockEditor.tsx'
import { useCampaigns } from './data.ts'
import { Preview } from './Preview.tsx'
import type { Draft } from './useDraft.ts'

type Problem = { path: string; message: string }
type Props = {
  campaign: Campaign
  draft: Draft
  refused: readonly Problem[]
  onChange: (changes: Partial<Draft>) => void
  /** Saves what was typed last. @returns whether all of it is saved */
  onSave: () => Promise<boolean>
}

const profilePath = '/profile?section=business#details'
const variablesHint = '{customer first name}, {customer name}, {business name} and {business phone} are filled in.'

const Fields = ({
  campaign,
  words,
  language,
  isTested,
  problems,
  onChange,
}: {
  campaign: Campaign
  words: Words
  language: 'en' | 'es'
  isTested: boolean
  problems: readonly Problem[]
  onChange: (words: Words) => void
}) => {
  const [pictures, setPictures] = useState<Record<string, string>>({})
  const errorOf = (field: string, text: string): string | undefined =>
    wordsProblem(text)?.replace(' Nothing was saved.', '') ??
    problems.find(({ path }) => path === `content.${language}.${field}`)?.message
  if (campaign.channel === 'sms')
    return (
      <TextAreaField
        label={language === 'es' ? 'Text in Spanish' : 'Text'}
        optional={language === 'es'}
        rows={5}
        maxLength={longestText}
        hint={variablesHint}
        value={words.text}
        error={errorOf('text', words.text)}
        onChange={(text) => onChange({ ...words, text })}
      />
    )
  const at = `content.${language}.blocks.`
  const errors = new Map(
    problems.flatMap(({ path, message }): [number, string][] =>
      path.startsWith(at) ? [[Number.parseInt(path.slice(at.length), 10), message]] : [],
    ),
  )
  return (
    <>
      <TextField
        label={isTested ? 'Subject A' : 'Subject'}
        maxLength={longestSubject}
        hint={variablesHint}
        value={words.subject}
        error={errorOf('subject', words.subject)}
        onChange={(subject) => onChange({ ...words, subject })}
      />
      {isTested ? (
        <TextField
          label="Subject B"
          maxLength={longestSubject}
          value={words.subjectB}
          error={errorOf('subjectB', words.subjectB)}
          onChange={(subjectB) => onChange({ ...words, subjectB })}
        />
      ) : null}
      <TextField
        label="Beside the subject"
        optional
        maxLength={150}
        hint="A list of mails shows it in gray."
        value={words.preheader}
        error={errorOf('preheader', words.preheader)}
        onChange={(preheader) => onChange({ ...words, preheader })}
      />
      <BlockEditor
        blocks={words.blocks}
        errors={errors}
        pictures={{ ...campaign.pictures, ...pictures }}
        onPicture={(fileId, url) => setPictures((known) => ({ ...known, [fileId]: url }))}
        onChange={(blocks) => onChange({ ...words, blocks })}
      />
      {errorOf('blocks', '') ? <p className="cp-error">{errorOf('blocks', '')}</p> : null}
    </>
  )
}

/** What it says, in English and Spanish, with how it comes out beside it. */
export const WhatStep = ({ campaign, draft, refused, onChange, onSave }: Props) => {
  const [language, setLanguage] = useState<'en' | 'es'>('en')
  const [variant, setVariant] = useState<Variant>('a')
  const { test } = useCampaigns()
  const { content } = draft
  const isTested = draft.test !== null
  const shown: Content = {
    en: { ...content.en, blocks: content.en.blocks.filter(isChosen) },
    es: { ...content.es, blocks: content.es.blocks.filter(isChosen) },
  }
  const send = async () => {
    if (!(await onSave())) return toast.error('Something in it cannot be saved yet. Nothing was sent.')
    test.mutate(
      { id: campaign.id, language, variant },
      { onSuccess: ({ to }) => toast.success(`A test is on its way to ${to}`), onError: toast.error },
    )
  }
  const problems = [...refused, ...campaign.problems]
  const address = campaign.problems.find(({ path }) => path === 'address')
  return (
    <div className="cp-what">
      {address ? (
        <Banner tone="warn" title="Your business has no postal address yet">
          An offer by e-mail has to say where your business is.{' '}
          <LinkTo href={profilePath}>Add it under Profile, Business.</LinkTo>
        </Banner>
      ) : null}
      <Tabs
        label="Language"
        tabs={[
          { value: 'en', label: 'English' },
          { value: 'es', label: isWritten(content.es) ? 'Spanish' : 'Spanish (not written)' },
        ]}
        value={language}
        onChange={setLanguage}
      />
      <div className="cp-what__sides">
        <div className="cp-what__words">
          {language === 'es' && !isWritten(content.es) ? (
            <p className="muted">Customers who read Spanish get the English words until something stands here.</p>
          ) : null}
          <Fields
            key={language}
            campaign={campaign}
            words={content[language]}
            language={language}
            isTested={isTested}
            problems={problems}
            onChange={(words) => onChange({ content: { ...content, [language]: words } })}
          />
        </div>
        <div className="cp-what__look">
          {isTested ? (
            <Tabs
              label="Subject in the preview"
              tabs={[
                { value: 'a', label: 'Subject A' },
                { value: 'b', label: 'Subject B' },
              ]}
              value={variant}
              onChange={setVariant}
            />
          ) : null}
          <Preview channel={campaign.channel} content={shown} language={language} variant={variant} />
          <Button calls={campaignsApi.test} loading={test.isPending} onClick={() => void send()}>
            Send me a test
          </Button>
        </div>
      </div>
    </div>
  )
}
