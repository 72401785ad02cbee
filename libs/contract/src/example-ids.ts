/** Ids of the resources in examples of parameters and responses. */
export const exampleIds = {
  organisation: '6f0c3c5e-2b1d-4a63-9d0e-8a4f5b7c1e20',
  brand: 'b3a1f0d2-7c44-4e5b-8f21-0c9d6e7a5b31',
  competitor: 'c7d2e9a4-1f58-4b0c-9a36-5e8b2d4f6a42',
  prompt: '1e7b9c3d-5a2f-4d86-b0c4-7f3e8a9d2c53',
  'scan job': '9d4e2f6a-8b3c-4c17-a5d9-2b6f0e1c7d64',
  'reprocess job': 'e2c6a8f0-3d5b-4f79-8e1a-6c0b9d4f5e75',
  experiment: '0d6b4f2e-8a1c-4e57-b3d9-7c5e1a9f3b08',
  'webhook endpoint': '4b8d0f2e-6c1a-4e93-b7f5-1d9c3a5e8f86',
  subscription: '7a5c9e1f-0d4b-4b28-9c6e-3f8a2d7b1097',
  delivery: '2f9b7d5c-4e8a-4a61-8d3f-9b0e6c5a41a8',
  'webhook event': '3c7e1a9d-5b2f-4f46-8a0c-6d4b9e2f71a5',
  partner: '8c0e4a6d-9f2b-4d35-a1b7-5d7f3c8e62b9',
  key: '5d1f8b3a-7e6c-4f04-b9d2-0a4c8e6f73ca',
  'dead-letter event': 'a9e3c7b5-2d8f-4c40-9f6b-8e1d5a0c84db',
} as const;
