/** Questions and answers, once: the page and the structured data read them. */

type Question = { question: string; answer: readonly string[] }
export type FaqGroup = { title: string; questions: readonly Question[] }

export const faqGroups: readonly FaqGroup[] = [
  {
    title: 'Moving over',
    questions: [
      {
        question: 'I have my customers in a spreadsheet. Do I have to type them again?',
        answer: [
          'No. Save the sheet as CSV and bring it in. The columns can be in any order; you say which one is the street, the e-mail, the lawn size. Swath then shows what it would do before it does anything.',
          'Rows with a problem, like a missing name or an empty street, are listed with their line number and the reason. The good rows come in, and you can undo the whole import.',
        ],
      },
      {
        question: 'Can I change over in the middle of the season?',
        answer: [
          'Yes. Bring the list, book the remaining weeks for all weekly customers in one action, plan tomorrow, and leave the old system running beside it until the first invoices are out.',
        ],
      },
      {
        question: 'Can I get my data out again?',
        answer: ['Yes, at any time, also after a subscription has ended. It is your list.'],
      },
    ],
  },
  {
    title: 'Routes and schedule',
    questions: [
      {
        question: 'What does Swath need to know to plan a day?',
        answer: [
          'Where each crew starts, how long its shift is, who is on it and what an hour costs. The stops come from the schedule, with the minutes that each lawn takes: once crews have worked it three times, Swath proposes what it really took.',
        ],
      },
      {
        question: 'I know my streets better than a computer. Can I overrule it?',
        answer: [
          'Yes. Pin a stop to its place or its crew, drag any other, and undo what you did not mean. Swath keeps your pins and plans the rest around them.',
        ],
      },
      {
        question: 'How do I know that it saves anything?',
        answer: [
          'Each planned day shows drive minutes, miles and labor dollars in the order you booked and in the order it proposes, side by side.',
        ],
      },
    ],
  },
  {
    title: 'The crew',
    questions: [
      {
        question: 'What happens where there is no signal?',
        answer: [
          'The day is on the phone. Every start, photo and finish is written there first and sent when the signal is back, once. The screen says how many are still waiting.',
        ],
      },
      {
        question: 'Do my people see my prices?',
        answer: [
          'No. Employees see stops, tasks, notes and their own hours. Prices, costs and wages are never sent to their phones.',
        ],
      },
      {
        question: 'I mow too. Do I need a second account?',
        answer: ['No. Put yourself on a crew and the same sign-in clocks in and works the route.'],
      },
    ],
  },
  {
    title: 'Money',
    questions: [
      {
        question: 'How do customers pay?',
        answer: [
          'Each invoice mail has the PDF and a link. The link leads to a card checkout run by a payment provider. Card numbers never reach Swath.',
        ],
      },
      {
        question: 'What if someone presses Pay twice?',
        answer: ['The invoice is paid once. A repeat finds it paid and says so.'],
      },
    ],
  },
  {
    title: 'Plans and the Setup Sprint',
    questions: [
      {
        question: 'What does Swath cost?',
        answer: [
          'Basic is $49.99 a month, Pro $79.99, Enterprise $199.99. Paying by the year saves 17%. Basic starts with a 14-day free trial.',
        ],
      },
      {
        question: 'What is the Setup Sprint?',
        answer: [
          'Fourteen days with two calls of 20 minutes each and homework between them. You activate your profile with your real data, and by call 2 your team is set up. We take 10 businesses a month.',
        ],
      },
      {
        question: 'Is the Setup Sprint really free?',
        answer: ['Yes, if you do every step. Missing any step triggers a $299 onboarding fee.'],
      },
      {
        question: 'What is an SMS segment?',
        answer: [
          'The unit that phone companies count texts in: 160 plain characters, or 70 when a text holds an emoji or an unusual letter. Longer texts take several segments, and a text with photos counts as three.',
        ],
      },
    ],
  },
]
