import { expect, test } from 'vitest'
import { firstOpenQuestion, missingAnswers, questions, readableAnswers, tidyAnswers } from './rules.ts'

const all = {
  businessName: 'Fields Lawn Care',
  role: 'Owner',
  customerCount: '51-100',
  teamSize: '2-5 employees',
  routesToday: 'In my head',
  mostTime: 'Driving between lawns',
  liveWhen: 'This month',
  bothCalls: 'Yes, I can make both calls',
}

test('there are six questions, one a screen', () => expect(questions.length).toBe(6))

test('only what a question asks for is kept', () => {
  expect(
    tidyAnswers({ businessName: ' Fields ', role: 7, teamSize: 'a thousand', other: 'x', customerCount: '0-10' }),
  ).toEqual({
    businessName: 'Fields',
    customerCount: '0-10',
  })
  expect(tidyAnswers({ mostTimeMore: 'x'.repeat(5000) }).mostTimeMore?.length).toBe(1000)
})

test.each([
  [{}, 0],
  [{ businessName: 'Fields' }, 0],
  [{ businessName: 'Fields', role: 'Owner' }, 1],
  [{ ...all, mostTime: '' }, 4],
  [all, 6],
])('%j: the next open question is %i', (answers, expected) => expect(firstOpenQuestion(answers)).toBe(expected))

test('every required answer is missed by name', () => {
  expect(missingAnswers(all)).toEqual([])
  expect(missingAnswers({ ...all, role: '', bothCalls: '' })).toEqual([
    { path: 'role', message: 'Please fill this in' },
    { path: 'bothCalls', message: 'Please choose one' },
  ])
})

test('answers read as questions with what was said', () =>
  expect(readableAnswers({ ...all, mostTimeMore: 'Rain' })[4]).toEqual({
    question: 'What costs you the most time?',
    answer: 'Driving between lawns\nRain',
  }))
